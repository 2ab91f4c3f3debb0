import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { exchangeWallets } from '../../core/refund/exchanges.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { refundBatches, refundRowPayments, refundRows } from '../schema/index.ts'
import { writeBatch } from './batch.ts'
import { listRefundRows, totalsOf } from './list.ts'
import { refundFacts } from './totals.ts'

const database = forEachTest(testDb)
const event = forEachTest(() => openEvent(database.db))

const zero: Address = `0x${'0'.repeat(40)}`
const prepare = (kind: 'event' | 'leftover', expected?: { totalTickets: number; totalAmount: number }) =>
  database.db.transaction((tx) =>
    writeBatch(tx, { kind, eventNumber: 1, minUnits: unitsOf(10), ...(expected && { expected }) }),
  )
const rowsOf = async (kind: 'event' | 'leftover') =>
  (await listRefundRows(database.db, { kind, eventNumber: 1 })).map(({ row }) => row)
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error.code,
  )

async function enterRefundMode() {
  await database.db.execute(sql`update events set refund_mode_at = now(), frozen_at = now(), ledger_sha256 = '0x',
    ledger_lines = 1, draw_date = now(), sale_end = now()`)
}

test('I17 one row per payer returns all money of the event, with and without tickets, exactly', async () => {
  await foldTo(database.db, event, 9, [
    paid(event, { block: 1, cents: 9_900 }),
    { ...paid(event, { block: 2, cents: 100, payer: bob }), units: 1n },
    paid(event, { block: 3, cents: 200 }),
    { ...paid(event, { block: 4, cents: 100, payer: bob }), units: unitsOf(300) - 2n },
    paid(event, { block: 5, cents: 500, payer: operator }),
    paid(event, { block: 6, cents: 500, payer: zero }),
  ])
  await enterRefundMode()
  const facts = { totalTickets: 33, totalAmount: 10_100 + 299 }
  expect(await refundFacts(database.db, { kind: 'event', eventNumber: 1 })).toEqual({
    ...facts,
    totalRefunds: 2,
    totalUnits: (unitsOf(10_400) - 1n).toString(),
    waiting: { totalRefunds: 0, totalAmount: 0, totalUnits: '0' },
  })
  await prepare('event', facts)
  const rows = await rowsOf('event')
  expect(rows).toMatchObject([
    { to: expect.stringMatching(/^0xa1/i), amount: 10_100, state: 'planned', reason: 'unchecked' },
    {
      to: expect.stringMatching(/^0xb0/i),
      amount: 299,
      units: `${unitsOf(300) - 1n}`,
      transactionHash: null,
    },
  ])
  expect(totalsOf(rows).totalAmount).toBe(facts.totalAmount)
  await prepare('event', facts)
  expect(await rowsOf('event')).toEqual(rows)
})

test('R1 fifty parallel calls make one batch, and a payment is in one live row', async () => {
  await foldTo(database.db, event, 9, [
    paid(event, { block: 1, cents: 9_900 }),
    paid(event, { block: 2, cents: 600, payer: bob }),
  ])
  await enterRefundMode()
  await Promise.all(Array.from({ length: 50 }, () => prepare('event')))
  expect(await database.db.select().from(refundBatches)).toHaveLength(1)
  expect(await database.db.select().from(refundRows)).toHaveLength(2)
  expect(await database.db.select().from(refundRowPayments)).toHaveLength(2)
})

test('money without tickets is returned at any time, new payments in a new batch, none of it twice', async () => {
  await foldTo(database.db, event, 5, [
    paid(event, { block: 1, cents: 200 }),
    paid(event, { block: 2, cents: 300 }),
  ])
  await prepare('leftover', { totalTickets: 0, totalAmount: 200 })
  await prepare('leftover')
  await foldTo(database.db, event, 9, [paid(event, { block: 6, cents: 150 })])
  await prepare('leftover', { totalTickets: 0, totalAmount: 350 })
  expect((await rowsOf('leftover')).map((row) => row.amount)).toEqual([200, 150])
  await enterRefundMode()
  await prepare('event', { totalTickets: 1, totalAmount: 300 })
  expect((await rowsOf('event')).map((row) => row.amount)).toEqual([300])
  expect(await refundFacts(database.db, { kind: 'leftover', eventNumber: 1 })).toMatchObject({
    totalAmount: 350,
  })
})

test('I17 totals that the administrator has not seen, an empty list and an open sale change nothing', async () => {
  expect(await codeOf(prepare('leftover'))).toBe('NOTHING_TO_REFUND')
  await foldTo(database.db, event, 5, [paid(event, { block: 1, cents: 600 })])
  expect(await codeOf(prepare('event'))).toBe('SALES_OPEN')
  await enterRefundMode()
  expect(await codeOf(prepare('event', { totalTickets: 2, totalAmount: 599 }))).toBe('REFUND_TOTALS_CHANGED')
  expect(await codeOf(prepare('event', { totalTickets: 1, totalAmount: 600 }))).toBe('REFUND_TOTALS_CHANGED')
  expect(
    await codeOf(
      database.db.transaction((tx) => writeBatch(tx, { kind: 'event', eventNumber: 9, minUnits: 0n })),
    ),
  ).toBe('NOT_FOUND')
  expect(await database.db.select().from(refundBatches)).toEqual([])
})

test('a late payment joins its event batch, and a payment removed by a reorg leaves it', async () => {
  const first = paid(event, { block: 1, cents: 600 })
  await foldTo(database.db, event, 5, [first, paid(event, { block: 2, cents: 900, payer: bob })])
  await enterRefundMode()
  await prepare('event')
  await foldTo(database.db, event, 9, [
    { ...paid(event, { block: 7, cents: 400 }), blockTime: Math.ceil(Date.now() / 1000) + 9 },
  ])
  await prepare('event')
  expect((await rowsOf('event')).map((row) => row.amount)).toEqual([1_000, 900])
  await database.db.execute(sql`delete from payments where transaction_hash = ${first.transactionHash}`)
  await prepare('event')
  expect((await rowsOf('event')).map((row) => row.amount)).toEqual([400, 900])
})

test('listed exchanges are held and tiny amounts set aside, each with its reason', async () => {
  const exchange = exchangeWallets[0] as Address
  await foldTo(database.db, event, 5, [
    paid(event, { block: 1, cents: 600, payer: exchange }),
    paid(event, { block: 2, cents: 9, payer: bob }),
    paid(event, { block: 3, cents: 10, payer: alice }),
  ])
  await enterRefundMode()
  await prepare('event')
  await database.db.update(refundRows).set({ checkedAt: new Date() })
  expect((await rowsOf('event')).map((row) => row.reason)).toEqual(['exchange', 'dust', null])
  await foldTo(database.db, event, 9, [
    { ...paid(event, { block: 7, cents: 400, payer: bob }), blockTime: Math.ceil(Date.now() / 1000) + 9 },
  ])
  await prepare('event')
  expect((await rowsOf('event')).map((row) => row.reason)).toEqual(['exchange', null, null])
})
