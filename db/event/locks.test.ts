import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { termsLine, termsSha256 } from '../../core/event/terms.ts'
import { unitsOf } from '../../core/money.ts'
import { EnvError } from '../../core/server/env.ts'
import { alice, bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { noteAnchors } from '../draw/anchors.ts'
import type { Db } from '../index.ts'
import { changes, events, payments, termsVersions } from '../schema/index.ts'
import { applyEnvironment } from './environment.ts'
import { type Event, getOpenEvent } from './events.ts'
import { getBook, termsOf } from './terms.ts'
import { updateEvent } from './update.ts'

const dayMs = 86_400_000
const begin = fromNow(0).getTime()
const day = fc.integer({ min: -1, max: 70 })
const wallet = fc.constantFrom<Address>(operator, alice, bob)

/** What an administrator, the environment, a program of anybody's and buyers do to an event. */
const step = fc.oneof(
  fc.record({ do: fc.constant('date' as const), day: fc.option(day) }),
  fc.record({ do: fc.constant('minimum' as const), minTickets: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('wallet' as const), wallet }),
  fc.record({ do: fc.constant('environment' as const), cents: fc.integer({ min: 1, max: 4 }), wallet }),
  fc.record({
    do: fc.constant('database' as const),
    day: fc.option(day),
    minTickets: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ do: fc.constant('price' as const), cents: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('pay' as const), cents: fc.constantFrom(1, 900) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test('I32 from the first ticket on all stands but a date that was never set, and every change is listed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const own = await usedDb()
      try {
        await play(own.db, steps)
      } finally {
        await own.close()
      }
    }),
    { numRuns: 15 },
  )
})

test('a rewind that takes the first ticket back lifts no lock, and a date is set once', async () => {
  const { db } = await forTest(usedDb())
  const event = await openEvent(db, { saleLeadSeconds: 86_400 })
  await foldTo(db, event, 1, [paid(event, { block: 1, cents: 900, wallet: operator })])
  await db.delete(payments)
  await db.update(events).set({ ticketsSold: 0 })
  const rules = { terms: envTerms, pinnedWallet: undefined }
  await expect(updateEvent(db, { minTickets: 1 }, rules)).rejects.toMatchObject({
    ...{ code: 'EVENT_LOCKED', field: 'minTicketsForDraw' },
  })
  for (const direct of [{ ticketPrice: 1n }, { lockedAt: null }, { anchorWallet: bob }, { claimDays: 31 }])
    await expect(db.update(events).set(direct)).rejects.toMatchObject({ cause: { code: '23001' } })
  await updateEvent(db, { drawDate: dateOf(60) }, rules)
  expect((await getOpenEvent(db))?.drawDate).toEqual(dateOf(60))
  await expect(db.update(events).set({ drawDate: dateOf(59) })).rejects.toMatchObject({
    cause: { code: '23001' },
  })
  await expect(updateEvent(db, { drawDate: dateOf(59) }, rules)).rejects.toMatchObject({
    ...{ code: 'EVENT_LOCKED', field: 'drawDate' },
  })
})

test('the first ticket locks the version that was in force when it was paid, and takes back what was set since', async () => {
  const { db } = await forTest(usedDb())
  const event = await openEvent(db, { saleLeadSeconds: 86_400 })
  const since = new Date(event.saleStart.getTime() + 5_000)
  await db.execute(sql`update cursors set newest_block_time = ${since.toISOString()}`)
  await foldTo(db, event, 1, [])
  await db.execute(sql`update cursors set newest_block_time = ${since.toISOString()}`)
  await updateEvent(db, { minTickets: 3, drawDate: dateOf(60) }, { terms: envTerms, pinnedWallet: undefined })
  await db.update(events).set({ ticketPrice: unitsOf(600) })
  const versions = await db.select().from(termsVersions).orderBy(termsVersions.since)
  expect(versions.map((one) => one.line.split(',')[7])).toEqual([
    '3000000000000000000',
    '6000000000000000000',
  ])
  expect(versions.at(-1)?.line).toBe(await termsOf(db, (await getOpenEvent(db)) as Event))
  await foldTo(db, event, 9, [
    paid(event, { block: 3, cents: 900, wallet: operator }),
    paid(event, { block: 8, cents: 900, wallet: operator }),
  ])
  expect(await getOpenEvent(db)).toMatchObject({
    ...{ ticketPrice: unitsOf(300), minTickets: event.minTickets, drawDate: dateOf(60), ticketsSold: 6 },
    lockedAt: new Date(event.saleStart.getTime() + 3_000),
  })
  const listed = await db.select().from(changes).orderBy(changes.id)
  expect(listed.slice(-3)).toMatchObject([
    { field: 'minTicketsForDraw', from: '3' },
    { field: 'ticketPrice', from: '6', to: '3' },
    { field: 'terms', to: 'takenBack' },
  ])
})

test('an anchor locks the terms that are in force at its block, by their own wallets, and none of a frozen event', async () => {
  const { db } = await forTest(usedDb())
  const event = await openEvent(db)
  const former = termsSha256(await termsOf(db, event))
  await foldTo(db, event, 1)
  await updateEvent(db, { operatorWallet: bob }, { terms: envTerms, pinnedWallet: undefined })
  let count = 0
  const lockedBy = async (wallet: Address, commitment: Hex, second: number): Promise<Event> => {
    const transactionHash = `0x${`${++count}`.padStart(64, '0')}` as const
    const blockTime = event.saleStart.getTime() / 1000 + second
    await noteAnchors(db, [
      {
        ...{ wallet, commitment, transactionHash, blockTime },
        eventNumber: 1,
        blockNumber: 9n,
        logIndex: 0,
      },
    ])
    return (await getOpenEvent(db)) as Event
  }
  const now = termsSha256(await termsOf(db, (await getOpenEvent(db)) as Event))
  // The key of a wallet that was replaced locks nothing, with its own terms as little as with those of now.
  for (const commitment of [former, now])
    expect(await lockedBy(operator, commitment, 3_600)).toMatchObject({
      operatorWallet: bob,
      lockedAt: null,
    })
  await db.execute(
    sql`update events set (frozen_at, ledger_sha256, ledger_lines, terms) = (now(), ${now}, 0, 'none')`,
  )
  expect(await lockedBy(operator, former, 0)).toMatchObject({ operatorWallet: bob, lockedAt: null })
  await db.execute(
    sql`update events set (frozen_at, ledger_sha256, ledger_lines, terms) = (null, null, null, null)`,
  )
  expect(await lockedBy(bob, now, 3_600)).toMatchObject({ operatorWallet: bob, lockedAt: expect.any(Date) })
})

test('the database writes the line that core describes', async () => {
  const own = await forTest(usedDb())
  const event = await openEvent(own.db, { saleLeadSeconds: 86_400 })
  await updateEvent(own.db, { drawDate: dateOf(60) }, { terms: envTerms, pinnedWallet: undefined })
  const now = (await getOpenEvent(own.db)) as Event
  expect(await termsOf(own.db, now)).toBe(
    termsLine({ ...now, eventNumber: event.number, book: await getBook(own.db), formerWallets: [] }),
  )
})

async function play(db: Db, steps: readonly Step[]): Promise<void> {
  const first = await openEvent(db, { saleLeadSeconds: 86_400 })
  let block = 0
  let locked: Event | undefined
  for (const done of steps) {
    await perform(db, first, done, ++block).catch(mayRefuse(done))
    const now = (await getOpenEvent(db)) as Event
    if (locked) {
      const { drawDate, saleEnd, ...others } = termsIn(now)
      expect({ ...termsIn(locked), ...others }).toEqual(termsIn(locked))
      if (locked.drawDate) expect([drawDate, saleEnd]).toEqual([locked.drawDate, locked.saleEnd])
    }
    if (now.lockedAt) locked = now
    await expectListed(db, first, now)
  }
}

const termsIn = ({ revision, ticketsSold, openedAt, refundModeAt, ...terms }: Event) => terms

async function perform(db: Db, event: Event, done: Step, block: number): Promise<unknown> {
  const rules = { terms: envTerms, pinnedWallet: undefined }
  switch (done.do) {
    case 'date':
      return updateEvent(db, { drawDate: dateOf(done.day) }, rules)
    case 'minimum':
      return updateEvent(db, { minTickets: done.minTickets }, rules)
    case 'wallet':
      return updateEvent(db, { operatorWallet: done.wallet }, rules)
    case 'environment': {
      const terms = { ...envTerms, ticketPrice: unitsOf(done.cents), operatorWallet: done.wallet }
      return applyEnvironment(db, terms, undefined)
    }
    case 'database': {
      const drawDate = dateOf(done.day)
      const saleEnd = drawDate && new Date(drawDate.getTime() - dayMs)
      return db.update(events).set({ drawDate, saleEnd, minTickets: done.minTickets })
    }
    case 'price':
      return db.update(events).set({ ticketPrice: unitsOf(done.cents) })
    case 'pay': {
      const payment = paid(event, {
        block,
        cents: done.cents,
        wallet: (await getOpenEvent(db))?.operatorWallet as Address,
      })
      return foldTo(db, event, block, [payment])
    }
  }
}

/** The list of changes leads from the event as it was opened to the event as it is. */
async function expectListed(db: Db, first: Event, now: Event): Promise<void> {
  const rows = await db.select().from(changes).orderBy(changes.id)
  const shown = (event: Event) => ({
    drawDate: event.drawDate?.toISOString() ?? null,
    saleEndDate: event.saleEnd?.toISOString() ?? null,
    minTicketsForDraw: `${event.minTickets}`,
    operatorWallet: event.operatorWallet,
    ticketPrice: `${Number(event.ticketPrice / 10n ** 16n) / 100}`,
  })
  const told: Record<string, string | null> = shown(first)
  for (const { field, from, to } of rows) {
    if (!(field in told)) continue
    expect([field, from]).toEqual([field, told[field]])
    told[field] = to
  }
  expect(told).toEqual(shown(now))
}

const dateOf = (days: number | null) => (days === null ? null : new Date(begin + days * dayMs))

/** Forms and the environment refuse by themselves; a program that writes the columns is refused by the database. */
const mayRefuse = (done: Step) => (error: unknown) => {
  const isDirect = done.do === 'database' || done.do === 'price'
  const cause = (error as { cause?: { code?: string } }).cause
  if (isDirect ? cause?.code === '23001' : error instanceof RaffleError || error instanceof EnvError) return
  throw error
}
