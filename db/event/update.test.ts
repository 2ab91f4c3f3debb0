import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { register } from '../../core/register.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { getSaleRules } from '../payment/sale-rules.ts'
import { changes, draws, events, payments, refundBatches } from '../schema/index.ts'
import { getDraft, saveDraft } from './draft.ts'
import { applyEnvironment } from './environment.ts'
import { type Event, getOpenEvent, getWatchedWallets, watchWallet } from './events.ts'
import { emptyDraft } from './next.ts'
import { resumeSales, stopSale } from './sale.ts'
import { getScanCursor, noteNewestBlock } from './scan-cursor.ts'
import { updateEvent } from './update.ts'

const rules = { terms: envTerms, pinnedWallet: undefined }
const inFuture = (seconds: number) => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000)

const own = forEachTest(testDb)
const event = forEachTest(() => openEvent(own.db))

describe('draw date', () => {
  test('sets the sale end one lead before it and lists the change', async () => {
    const drawDate = inFuture(3_600)
    const { event: updated } = await updateEvent(own.db, { drawDate }, rules)
    expect(updated).toMatchObject({ drawDate, saleEnd: new Date(drawDate.getTime() - 10_000), revision: 2 })
    expect(await publicChanges()).toEqual([
      ['drawDate', null, drawDate.toISOString()],
      ['saleEndDate', null, new Date(drawDate.getTime() - 10_000).toISOString()],
    ])
  })

  test('whose sale end has passed is refused, naming that sale end', async () => {
    const drawDate = inFuture(9)
    await expect(updateEvent(own.db, { drawDate }, rules)).rejects.toMatchObject({
      code: 'DATE_IN_PAST',
      message: expect.stringContaining(new Date(drawDate.getTime() - 10_000).toISOString()),
    })
    expect(await getOpenEvent(own.db)).toMatchObject({ drawDate: null, revision: 1 })
  })

  test('cannot end the sale before the newest block seen, even if our clock is behind the chain', async () => {
    await foldTo(own.db, event, 1)
    const newest = inFuture(7_200).getTime() / 1000
    await noteNewestBlock(own.db, { timestamp: newest, notAfter: newest })
    await expect(updateEvent(own.db, { drawDate: inFuture(7_200) }, rules)).rejects.toMatchObject({
      code: 'DATE_IN_PAST',
    })
    await updateEvent(own.db, { drawDate: inFuture(7_215) }, rules)
  })

  test('with a sale end that is not the derived one is refused', async () => {
    const drawDate = inFuture(3_600)
    await expect(updateEvent(own.db, { drawDate, saleEndDate: drawDate }, rules)).rejects.toMatchObject({
      code: 'INVALID_DATE',
    })
  })

  test('announced after the first ticket keeps the deadline that buyers were told without it', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    const tooLate = inFuture(174 * 86_400)
    await expect(updateEvent(own.db, { drawDate: tooLate }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
      field: 'drawDate',
    })
    await expect(own.db.update(events).set({ drawDate: tooLate, saleEnd: tooLate })).rejects.toThrow()
    await updateEvent(own.db, { drawDate: inFuture(172 * 86_400) }, rules)
  })

  test('once a ticket is sold the first one, the lead and the sale end alone are nobody’s to write', async () => {
    await updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    for (const change of [
      { firstDrawDate: inFuture(9_999_999) },
      { saleEnd: inFuture(3_000) },
      { saleLeadSeconds: 20 },
    ])
      await expect(own.db.update(events).set(change)).rejects.toMatchObject({ cause: { code: '23001' } })
  })

  test('I13: date and minimum are locked from the sale end on', async () => {
    await endSale()
    await expect(updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
    await expect(updateEvent(own.db, { minTickets: 5 }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
    await updateEvent(own.db, { googleFormUrl: 'https://forms.example/1' }, rules)
  })
})

describe('operator wallet', () => {
  test('is locked since the first payment', async () => {
    await updateEvent(own.db, { operatorWallet: bob }, rules)
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00, wallet: bob })])
    await expect(updateEvent(own.db, { operatorWallet: operator }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
  })

  test('is never the token, the zero address nor the register, as that money is lost for good', async () => {
    const contract = register.address.toLowerCase() as typeof event.token
    for (const operatorWallet of [event.token, `0x${'00'.repeat(20)}`, contract] as const)
      await expect(updateEvent(own.db, { operatorWallet }, rules)).rejects.toMatchObject({
        code: 'INVALID_WALLET',
        field: 'operatorWallet',
      })
    for (const wallet of [event.token, contract]) {
      await expect(own.db.update(events).set({ operatorWallet: wallet })).rejects.toThrow()
      await expect(own.db.update(events).set({ anchorWallet: wallet })).rejects.toThrow()
    }
    await own.db.update(events).set({ anchorWallet: bob })
    await expect(watchWallet(own.db, contract)).rejects.toThrow()
  })

  test('is locked from the sale end on, frozen or not', async () => {
    await endSale()
    for (const step of [async () => undefined, () => freezeLedger(own.db)]) {
      await step()
      await expect(updateEvent(own.db, { operatorWallet: bob }, rules)).rejects.toMatchObject({
        code: 'EVENT_LOCKED',
        field: 'operatorWallet',
      })
    }
  })

  test('can be corrected after a stranger has sent a unit to it', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 1 })])
    await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect(await getOpenEvent(own.db)).toMatchObject({ operatorWallet: bob })
  })

  test('of the next event does not make the scan skip late money of the event before', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    const cursor = await getScanCursor(own.db)
    await updateEvent(own.db, { drawDate: inFuture(3_600), operatorWallet: bob }, rules)
    expect(await getScanCursor(own.db)).toMatchObject({ height: cursor?.height })
  })

  test('that was replaced is still watched, and payments to it buy nothing', async () => {
    await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect((await getWatchedWallets(own.db)).sort()).toEqual([operator, bob].sort())
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00, wallet: operator })])
    expect(await own.db.select().from(payments)).toMatchObject([{ status: 'rejected', reason: 'old_wallet' }])
  })

  test('that is new moves the scan back to the sale start, so that no payment to it is missed', async () => {
    await foldTo(own.db, event, 5)
    await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect(await getScanCursor(own.db)).toBeUndefined()
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00, wallet: bob })])
    expect(await getOpenEvent(own.db)).toMatchObject({ ticketsSold: 1 })
  })

  test('pinned by the environment cannot be changed by a form', async () => {
    const pinned = { ...rules, pinnedWallet: operator }
    await expect(updateEvent(own.db, { operatorWallet: bob }, pinned)).rejects.toMatchObject({
      code: 'WALLET_PINNED',
    })
    await updateEvent(own.db, { operatorWallet: operator }, pinned)
  })
})

describe('entropy and number of winners', () => {
  test('are chosen before the first ticket, listed, and stay when a process starts again', async () => {
    const { event: updated } = await updateEvent(own.db, { entropy: 'blocks+drand', winners: 3 }, rules)
    expect(updated).toMatchObject({
      ...{ entropy: 'blocks+drand', winners: 3, revision: 2 },
      drafted: ['entropy', 'winners'],
    })
    expect(await publicChanges()).toEqual([
      ['entropy', 'blocks', 'blocks+drand'],
      ['winners', '1', '3'],
    ])
    await applyEnvironment(own.db, envTerms, undefined)
    expect(await getOpenEvent(own.db)).toMatchObject({ entropy: 'blocks+drand', winners: 3 })
  })

  test('are locked since the first ticket, by the form and by the database', async () => {
    await foldTo(own.db, event, 5, [paid(event, { block: 2, cents: 3_00 })])
    for (const [field, value] of [
      ['entropy', 'blocks+drand'],
      ['winners', 2],
    ] as const) {
      await expect(updateEvent(own.db, { [field]: value }, rules)).rejects.toMatchObject({
        ...{ code: 'EVENT_LOCKED', field },
      })
      await expect(own.db.update(events).set({ [field]: value })).rejects.toThrow()
    }
    await updateEvent(own.db, { entropy: 'blocks', winners: 1, minTickets: 7 }, rules)
  })

  test('are locked from the sale end on, also without a ticket', async () => {
    await endSale()
    await expect(updateEvent(own.db, { winners: 2 }, rules)).rejects.toMatchObject({
      ...{ code: 'EVENT_LOCKED', field: 'winners' },
    })
  })

  test('of the call that opens the next event come before its draft', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    await saveDraft(
      own.db,
      { ...emptyDraft, entropy: 'blocks+drand', winners: 5 },
      { terms: envTerms, revision: (await getDraft(own.db)).revision },
    )
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600), winners: 2 }, rules)
    expect(next).toMatchObject({ number: 2, entropy: 'blocks+drand', winners: 2 })
  })
})

test('of two administrators with the same page one saves, the other gets a conflict', async () => {
  await updateEvent(own.db, { minTickets: 7 }, { ...rules, revision: 1 })
  await expect(updateEvent(own.db, { minTickets: 8 }, { ...rules, revision: 1 })).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
  })
})

test('of administrators who archive an event at once, each gets the next event or a conflict', async () => {
  await endSale({ drawn: true })
  await freezeLedger(own.db)
  const drawDate = inFuture(3_600)
  const { revision } = (await getOpenEvent(own.db)) as Event
  const press = (seen?: number) =>
    updateEvent(own.db, { drawDate }, { ...rules, ...(seen !== undefined && { revision: seen }) }).then(
      ({ event: { number } }) => number,
      (error) => error.code,
    )
  const answers = await Promise.all([0, 1, 2].flatMap(() => [press(revision), press()]))
  expect(answers).toContain(2)
  expect(answers.filter((answer) => answer !== 2 && answer !== 'VERSION_CONFLICT')).toEqual([])
  expect(await own.db.select().from(events)).toHaveLength(2)
})

describe('archive', () => {
  test('a draw date for an event that ended without a ticket opens the next one, with the other fields', async () => {
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    const { event: next, archived } = await updateEvent(
      own.db,
      { drawDate: inFuture(3_600), minTickets: 20, operatorWallet: bob },
      rules,
    )
    expect(archived).toBe(1)
    expect(next).toMatchObject({ number: 2, minTickets: 20, operatorWallet: bob, archivedAt: null })
    expect(next.saleStart > event.saleStart).toBe(true)
  })

  test('an event with tickets that was neither drawn nor refunded is not over', async () => {
    await endSale({ drawn: true, isSold: true })
    await expect(updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
  })

  test('an event whose refunds were prepared is over, and the next one takes its minimum and the new price', async () => {
    await updateEvent(own.db, { minTickets: 42 }, rules)
    await endSale({ drawn: true, isSold: true })
    await own.db.insert(refundBatches).values({ kind: 'event', eventNumber: 1 })
    const terms = { ...envTerms, ticketPrice: 5n * 10n ** 18n }
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600) }, { ...rules, terms })
    expect(next).toMatchObject({ number: 2, minTickets: 42, ticketPrice: 5n * 10n ** 18n, ticketsSold: 0 })
    expect((await getSaleRules(own.db)).events.map((e) => e.ticketPrice)).toEqual([
      3n * 10n ** 18n,
      5n * 10n ** 18n,
    ])
  })
})

describe('stop-sale', () => {
  test('ends the sale now, lists the change, and enters refund mode once the ledger is frozen', async () => {
    await foldTo(own.db, event, 1, [paid(event, { block: 1, cents: 3_00 })])
    const stopped = await stopSale(own.db)
    expect(stopped.stoppedAt).not.toBeNull()
    await expect(stopSale(own.db)).rejects.toMatchObject({ code: 'EVENT_LOCKED' })
    const after = Math.ceil((stopped.saleEnd as Date).getTime() - event.saleStart.getTime()) / 1000
    await foldTo(own.db, event, after, [paid(event, { block: after, cents: 3_00 })])
    await freezeLedger(own.db)
    expect(await getOpenEvent(own.db)).toMatchObject({
      ticketsSold: 1,
      refundModeAt: expect.any(Date),
      drawDate: null,
    })
    expect((await publicChanges()).map(([field, , to]) => [field, to])).toContainEqual(['sales', 'stopped'])
  })
})

test('an administrator resumes halted sales, once, and the change is listed', async () => {
  await own.db.update(events).set({ haltedAt: sql`now()` })
  expect([await resumeSales(own.db), await resumeSales(own.db)]).toEqual([true, false])
  expect(await publicChanges()).toEqual([['sales', 'halted', 'open']])
})

test('I12: a draw can be neither changed nor deleted, nor can the list of changes', async () => {
  await foldTo(own.db, event, 1, [paid(event, { block: 1, cents: 3_00, payer: alice })])
  const [payment] = await own.db.select().from(payments)
  await own.db.insert(draws).values({
    eventNumber: 1,
    blocks: [],
    ledgerSha256: '0x00',
    ticketsSold: 1,
    blockSeed: '0x00',
    seed: '0x00',
    counter: 0,
    randomNumber: 0n,
    winningTicket: 1,
    winningPayment: payment?.id as number,
    winners: [],
    reserves: [],
  })
  await expect(own.db.update(draws).set({ winningTicket: 1 })).rejects.toThrow()
  await expect(own.db.delete(draws)).rejects.toThrow()
  await expect(own.db.delete(changes)).rejects.toThrow()
})

/** The sale ended a moment ago; with `drawn`, the draw date has passed as well. `isSold`: with one ticket. */
async function endSale({ drawn = false, isSold = false } = {}): Promise<void> {
  const drawDate = inFuture(drawn ? -1 : 9)
  await own.db.update(events).set({
    drawDate,
    saleEnd: new Date(drawDate.getTime() - 10_000),
    saleStart: new Date(drawDate.getTime() - 20_000),
  })
  Object.assign(event, await getOpenEvent(own.db))
  await foldTo(own.db, event, 15, isSold ? [paid(event, { block: 1, cents: 3_00 })] : [])
}

async function publicChanges() {
  const rows = await own.db.select().from(changes).orderBy(changes.id)
  return rows.map(({ field, from, to }) => [field, from, to])
}
