import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, paid } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { listChanges } from '../event/changes.ts'
import { getOpenEvent } from '../event/events.ts'
import { payments } from '../schema/index.ts'
import { eachRefundRecipient, type RefundRecipient } from './recipients.ts'
import { refundFacts } from './totals.ts'

const carol: Address = `0x${'c0'.repeat(20)}`
const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))

/**
 * Five tickets in all, and 3 of Carol's that the scan has not seen: so Bob gets his 5 and Alice none for her 2, while the
 * chain says that there is room for Carol and Alice and none for Bob.
 */
async function sellWithHole(): Promise<{ carols: FoundPayment; bobs: FoundPayment; alices: FoundPayment }> {
  await trail.db.execute(sql`update events set max_tickets = 5, min_tickets = 1`)
  const carols = paid(trail.event, { block: ++trail.height, cents: 9_00, payer: carol })
  const bobs = await trail.pay(bob, 15_00)
  const alices = await trail.pay(alice, 6_00)
  expect(await told()).toEqual([
    [bob, null, 5],
    [alice, 'over_cap', 0],
  ])
  return { carols, bobs, alices }
}

const told = async () =>
  (await trail.db.select().from(payments).orderBy(payments.blockNumber)).map(
    ({ payer, reason, ticketCount }) => [payer, reason, ticketCount],
  )
const facts = () => refundFacts(trail.db, { kind: 'leftover', eventNumber: 1 })
const states = async () => (await trail.rows()).map(({ row }) => [row.amount, row.state, row.reason])

/** The sale has been read a second time up to this block. */
const readTwice = (block: bigint) =>
  trail.db.execute(sql`insert into second_reading (id, event_number, height, block_time)
    values (1, 1, ${`${block}`}::bigint, now()) on conflict (id) do update set height = excluded.height`)

/** The second reading, or whoever posts its hash, finds what the scan had missed. */
async function find(carols: FoundPayment): Promise<void> {
  trail.payments = [carols, ...trail.payments]
  await trail.refold({ from: Number(carols.blockNumber) })
}

test('I42: what is over a cap goes back only when a second reading has passed it: nobody has his money and tickets', async () => {
  const { carols } = await sellWithHole()
  expect(await trail.prepare('leftover')).toBe('NOTHING_TO_REFUND')
  expect(await trail.offer()).toEqual([])
  await find(carols)
  expect(await told()).toEqual([
    [carol, null, 3],
    [bob, 'over_cap', 0],
    [alice, null, 2],
  ])
  expect(trail.paidTo(alice)).toBe(0n)
})

test('meanwhile it is told as owed and waiting, on the list of recipients too', async () => {
  const { alices } = await sellWithHole()
  const waiting = { totalRefunds: 1, totalAmount: 6_00, totalUnits: `${unitsOf(600)}` }
  expect(await facts()).toMatchObject({ totalRefunds: 0, totalAmount: 0, waiting })
  expect(await recipients()).toMatchObject([{ amount: 6_00, state: 'unprepared', reason: 'unread' }])
  await readTwice(alices.blockNumber - 1n)
  expect(await facts()).toMatchObject({ totalRefunds: 0, waiting })
  await readTwice(alices.blockNumber)
  expect(await facts()).toMatchObject({ totalRefunds: 1, totalAmount: 6_00, waiting: { totalRefunds: 0 } })
  expect(await recipients()).toMatchObject([{ amount: 6_00, state: 'unprepared', reason: null }])
  expect(await trail.prepare('leftover')).toBe('done')
  expect((await trail.offer()).map(({ to, units }) => [to, units])).toEqual([[alice, unitsOf(600)]])
})

async function recipients(): Promise<RefundRecipient[]> {
  const all: RefundRecipient[] = []
  await eachRefundRecipient(trail.db, { eventNumber: 1, isLeftover: true }, async (rows) => {
    all.push(...rows)
  })
  return all
}

test('I42: a row that was prepared is not handed to a wallet while its blocks are to be read twice again', async () => {
  const { alices } = await sellWithHole()
  await readTwice(alices.blockNumber)
  await trail.prepare('leftover')
  await trail.refold({ from: Number(alices.blockNumber) })
  expect(await states()).toEqual([[6_00, 'planned', 'unread']])
  expect(await trail.offer()).toEqual([])
  await readTwice(alices.blockNumber)
  expect(await states()).toEqual([[6_00, 'planned', null]])
  expect((await trail.offer()).map(({ units }) => units)).toEqual([unitsOf(600)])
})

test('what both readings have missed is public and halts the sale where money that went back has tickets now', async () => {
  const { carols, alices } = await sellWithHole()
  await readTwice(alices.blockNumber)
  await trail.prepare('leftover')
  await trail.offer()
  await trail.mine()
  await find(carols)
  const { transactionHash } = alices
  expect((await listChanges(trail.db)).map(({ to }) => to)).toContain(
    `has tickets, though its money went back: ${transactionHash}`,
  )
  expect(await getOpenEvent(trail.db)).toMatchObject({ haltedAt: expect.any(Date) })
  await trail.enterRefundMode()
  await trail.prepare('event')
  expect((await trail.offer()).map(({ to }) => to)).toEqual([carol, bob])
})
