import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { eachOpenEvent, inFuture, rules } from '../../e2e/lab/event-form.ts'
import { alice, bob, envTerms, foldTo, paid } from '../../e2e/lab/ledger-story.ts'
import { readSetup } from '../admin/settings.ts'
import { getSaleRules } from '../payment/fold.ts'
import { freezeLedger } from '../payment/ledger.ts'
import { reportStolen } from '../refund/facts.ts'
import { changes, draws, endings, events, payments } from '../schema/index.ts'
import { type Event, getOpenEvent } from './events.ts'
import { updateEvent } from './update.ts'
import { proveWallet } from './wallet-proofs.ts'

const { own, event, endSale } = eachOpenEvent()

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

  test('the next event takes over the wallet with its proof', async () => {
    await proveWallet(own.db, 1, event.operatorWallet as Address)
    await endSale({ drawn: true })
    await freezeLedger(own.db)
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)
    expect(next.walletProvenAt).not.toBeNull()
    expect((await readSetup(own.db, 1)).isDone).toMatchObject({ wallet: true })
    const { event: other } = await updateEvent(own.db, { operatorWallet: bob }, rules)
    expect(other.walletProvenAt).toBeNull()
    await proveWallet(own.db, 2, bob)
    await reportStolen(own.db, bob, inFuture(-60))
    expect((await getOpenEvent(own.db))?.walletProvenAt).toBeNull()
  })

  test('an event with tickets that was neither drawn nor refunded is not over', async () => {
    await endSale({ drawn: true, isSold: true })
    await expect(updateEvent(own.db, { drawDate: inFuture(3_600) }, rules)).rejects.toMatchObject({
      code: 'EVENT_LOCKED',
    })
  })

  test('an event whose refunds have begun is over, and the next one takes its minimum and the new price', async () => {
    await updateEvent(own.db, { minTickets: 42 }, rules)
    await endSale({ drawn: true, isSold: true })
    await freezeLedger(own.db)
    await own.db.insert(endings).values({ eventNumber: 1, kind: 'refunds', reason: 'minimum' })
    const terms = { ...envTerms, ticketPrice: 5n * 10n ** 18n }
    const { event: next } = await updateEvent(own.db, { drawDate: inFuture(3_600) }, { ...rules, terms })
    expect(next).toMatchObject({ number: 2, minTickets: 42, ticketPrice: 5n * 10n ** 18n, ticketsSold: 0 })
    expect((await getSaleRules(own.db)).events.map((e) => e.ticketPrice)).toEqual([
      3n * 10n ** 18n,
      5n * 10n ** 18n,
    ])
  })
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
