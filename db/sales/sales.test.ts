import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { alice, bob, foldTo, openEvent, operator, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { beginRefundMode } from '../event/sale.ts'
import { claimPayment } from '../payment/claims.ts'
import { salesCurve, salesFigures } from '../report/sales.ts'

const database = forEachTest(usedDb)
const event = forEachTest(() => openEvent(database.db))

/** `count` tickets in one payment at `second` of the sale. */
const bought = (second: number, count: number, payer: FoundPayment['payer'] = alice) =>
  paid(event, { block: second, cents: 300 * count, payer })

test('the curve has, for the end of each span, exactly the tickets that the ledger has by then', async () => {
  const purchase = fc.record({
    pause: fc.integer({ min: 0, max: 3_000 }),
    count: fc.integer({ min: 1, max: 40 }),
  })
  const run = fc.asyncProperty(fc.array(purchase, { maxLength: 30 }), async (purchases) => {
    await using own = await openedAgain()
    let second = 0
    const sold = purchases.map(({ pause, count }) => {
      second += pause
      return { second, count }
    })
    const payments = sold.map(({ second, count }, index) =>
      paid(own.event, { block: second, cents: 300 * count, index }),
    )
    await foldTo(own.db, own.event, second + 30, payments)
    const curve = await salesCurve(own.db, 1)
    expect(curve?.tickets).toHaveLength(Math.ceil((second + 30) / (curve?.bucketSeconds ?? 0)))
    const by = (until: number) => sold.reduce((sum, one) => sum + (one.second < until ? one.count : 0), 0)
    expect(curve?.tickets).toEqual(
      curve?.tickets.map((_, index) => by((index + 1) * (curve?.bucketSeconds ?? 0))),
    )
  })
  await fc.assert(run, { numRuns: 8 })
})

async function openedAgain() {
  const own = await usedDb()
  return { db: own.db, event: await openEvent(own.db), [Symbol.asyncDispose]: () => own.close() }
}

test('a sale that nobody has looked at yet has no counts, one without a purchase has zeros', async () => {
  expect(await salesCurve(database.db, 2)).toBeUndefined()
  expect(await salesCurve(database.db, 1)).toEqual({
    ...{ eventNumber: 1, from: event.saleStart.toISOString(), to: event.saleStart.toISOString() },
    ...{ bucketSeconds: 60, tickets: [], minTickets: 100 },
  })
  await foldTo(database.db, event, 90)
  expect(await salesCurve(database.db, 1)).toMatchObject({ tickets: [0, 0] })
})

test('a sale with an end keeps its spans while it runs and stops at the end, whatever comes after', async () => {
  const end = (seconds: number) => new Date(event.saleStart.getTime() + seconds * 1_000)
  await withOtherPast(database.db, (tx) =>
    tx.execute(
      sql`update events set sale_end = ${end(7_200).toISOString()}, draw_date = ${end(7_210).toISOString()}`,
    ),
  )
  await foldTo(database.db, event, 61, [bought(0, 1), bought(60, 2)])
  expect(await salesCurve(database.db, 1)).toMatchObject({ bucketSeconds: 60, tickets: [1, 3] })
  await foldTo(database.db, event, 9_000, [bought(7_199, 4), bought(7_200, 5)])
  const whole = await salesCurve(database.db, 1)
  expect(whole).toMatchObject({ bucketSeconds: 60, to: end(7_200).toISOString() })
  expect(whole?.tickets).toHaveLength(120)
  expect(whole?.tickets.slice(-2)).toEqual([3, 7])
})

test('hours and days add up to what was sold, wallets by size to all wallets', async () => {
  const hours = 80
  await foldTo(database.db, event, hours * 3_600, [
    ...[
      bought(0, 7),
      bought(3_600, 1, bob),
      bought(2 * 86_400, 20),
      bought(hours * 3_600 - 1, 101, operator2),
    ],
    ...[bought(hours * 3_600 - 1, 2, carol)],
  ])
  const { hours: perHour, days, sizes, ticketsSold } = await salesFigures(database.db)
  expect(ticketsSold).toBe(131)
  expect(days.tickets.reduce((sum, one) => sum + one)).toBe(131)
  expect(Date.parse(days.from) % 86_400_000).toBe(0)
  // The first hours are further back than what is shown.
  expect(perHour.tickets).toHaveLength(72)
  expect(perHour.tickets.reduce((sum, one) => sum + one)).toBe(123)
  expect(sizes).toEqual([
    { least: 1, most: 1, wallets: 1, tickets: 1 },
    { least: 2, most: 5, wallets: 1, tickets: 2 },
    { least: 6, most: 20, wallets: 0, tickets: 0 },
    { least: 21, most: 100, wallets: 1, tickets: 27 },
    { least: 101, most: null, wallets: 1, tickets: 101 },
  ])
})

const operator2 = `0x${'c2'.repeat(20)}` as const
const carol = `0x${'ca'.repeat(20)}` as const

test('money is told by what became of it, and adds up to what came in', async () => {
  const underpaid = paid(event, { block: 3, cents: 250, payer: bob })
  const toItself = paid(event, { block: 4, cents: 700, payer: operator })
  await foldTo(database.db, event, 9, [bought(1, 2), underpaid, toItself])
  await claimPayment(database.db, {
    ...{ transactionHash: `0x${'77'.repeat(32)}`, walletAddress: alice, quantity: 1, amount: 300 },
  })
  await database.db.execute(
    sql`update claims set status = 'confirming', seen = ${JSON.stringify([{ payer: alice, units: unitsOf(300).toString(), blockNumber: '10' }])}::jsonb`,
  )
  const money = async () =>
    Object.fromEntries(
      (await salesFigures(database.db)).money.map(({ state, units }) => [state, BigInt(units)]),
    )
  expect(await money()).toEqual({
    ...{
      confirming: unitsOf(300),
      credited: unitsOf(600),
      owed: unitsOf(250),
      refunded: 0n,
      own: unitsOf(700),
    },
  })
  await database.db.execute(sql`insert into outgoing_transfers (transaction_hash, wallet, recipient, token, units, total,
      block_number, block_hash, block_time, transaction_index, first_log_index)
    select '0x' || repeat('ab', 32), wallet, payer, token, units, units, 5, '0x' || repeat('cd', 32), now(), 0, 0
    from owed_payments`)
  expect(await money()).toMatchObject({ credited: unitsOf(600), owed: 0n, refunded: unitsOf(250) })
  await database.db.transaction((tx) => beginRefundMode(tx, event, 'minimum'))
  expect(await money()).toMatchObject({ credited: 0n, owed: unitsOf(600), refunded: unitsOf(250) })
})
