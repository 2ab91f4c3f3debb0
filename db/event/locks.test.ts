import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { RaffleError } from '../../core/errors.ts'
import { longestDelayMs } from '../../core/event/event-locks.ts'
import { unitsOf } from '../../core/money.ts'
import { EnvError } from '../../core/server/env.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, envTerms, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { fromNow } from '../../e2e/lab/test-time.ts'
import type { Db } from '../index.ts'
import { changes, events } from '../schema/index.ts'
import { applyEnvironment } from './environment.ts'
import { type Event, getOpenEvent } from './events.ts'
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

test('I32 after the first ticket the minimum only falls, the date keeps its bound, the rest stands, and all is listed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const own = await testDb()
      try {
        await play(own.db, steps)
      } finally {
        await own.close()
      }
    }),
    { numRuns: 15 },
  )
})

async function play(db: Db, steps: readonly Step[]): Promise<void> {
  const first = await openEvent(db, { saleLeadSeconds: 86_400 })
  let block = 0
  let sold: Event | undefined
  let announced: Date | undefined
  for (const done of steps) {
    await perform(db, first, done, ++block).catch(mayRefuse(done))
    const now = (await getOpenEvent(db)) as Event
    if (sold) {
      expect(now.minTickets).toBeLessThanOrEqual(sold.minTickets)
      for (const term of [
        'ticketPrice',
        'operatorWallet',
        'autoDraw',
        'chainId',
        'token',
        'saleStart',
      ] as const)
        expect(now[term]).toEqual(sold[term])
      announced ??= now.drawDate ?? undefined
      if (announced) {
        expect(now.drawDate).not.toBeNull()
        expect((now.drawDate as Date).getTime()).toBeLessThanOrEqual(announced.getTime() + longestDelayMs)
      }
      sold = now
    } else if (now.ticketsSold > 0) {
      sold = now
      announced = now.drawDate ?? undefined
    }
    await expectListed(db, first, now)
  }
}

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
