import { sql } from 'drizzle-orm'
import { type Address, type Hash, keccak256, toHex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import exchanges from '../../core/refund/exchanges.json'
import type { TransferMark } from '../../core/refund/rules.ts'
import { alice, bob, openEvent, operator } from '../../e2e/lab/ledger-story.ts'
import { usedDb } from '../../e2e/lab/used-database.ts'
import { getOpenEvent } from '../event/events.ts'
import { recordEnding } from '../event/sale.ts'
import { refundsOf } from '../payment/purchases.ts'
import { rewindOutgoing } from '../payment/rewind.ts'
import { loadSolvency, noteSolvency, requiredUnits } from '../report/solvency.ts'
import { payments } from '../schema/index.ts'
import * as dues from './dues.ts'
import * as facts from './facts.ts'
import { lineOf } from './lines.ts'

const { db, close } = await usedDb()
afterAll(close)
const carol: Address = `0x${'ca'.repeat(20)}`
const minUnits = 100n
const cent = 10n ** 16n
let start: Date
let count = 0
const hash = (): Hash => keccak256(toHex(`fact ${++count}`))
const token = sql`(select token from events where number = 1)`

beforeEach(async () => {
  await db.execute(sql`
    do $$ begin
      set local session_replication_role = replica;
      truncate events, payments, endings, operator_wallets, changes, outgoing_transfers,
        transfer_marks, refund_decisions, payer_codes, refund_reports, cursors cascade;
      delete from reports where name = 'solvency';
    end $$`)
  start = (await openEvent(db)).saleStart
  await facts.noteCodes(
    db,
    [alice, bob, carol].map((payer) => ({ payer, isContract: false })),
  )
})

/** Seconds after the sale start. */
const place = (block: number) => ({
  ...{ blockNumber: BigInt(block), blockHash: keccak256(toHex(`block ${block}`)) },
  blockTime: new Date(start.getTime() + block * 1000),
  ...{ transactionIndex: 0, firstLogIndex: 0 },
})

async function pay(payer: Address, units: bigint, block: number, { tickets = 1, event = 1 } = {}) {
  const [row] = await db
    .insert(payments)
    .values({
      ...{ transactionHash: hash(), payer, wallet: operator, token, units, eventNumber: event },
      ...place(block),
      ...(tickets > 0
        ? { status: 'credited', ticketNumber: block, ticketCount: tickets }
        : { status: 'rejected', reason: 'late' }),
    })
    .returning()
  return row as NonNullable<typeof row>
}

const refund = (event = 1) => recordEnding(db, event, { kind: 'refunds', reason: 'minimum' })

/** A plain transfer of an operator wallet. */
async function send(recipient: Address, units: bigint, block: number) {
  const key = { transactionHash: hash(), wallet: operator, recipient }
  await facts.addTransfers(db, [{ ...key, token, units, ...place(block) } as never])
  return key
}

async function register(debtor: Address, units: bigint, total: bigint, block: number) {
  const paid = {
    transactionHash: hash(),
    wallet: bob,
    recipient: debtor,
    token,
    units,
    total,
    ...place(block),
  }
  const before = await facts.getOutgoingCursor(db)
  const after = { height: BigInt(block), hash: place(block).blockHash, blockTime: start }
  expect(await facts.recordOutgoing(db, before, after, { transfers: [paid as never], anchors: [] })).toBe(
    true,
  )
}

const line = async (payer = alice) => {
  const found = await lineOf(db, payer, minUnits)
  return found && { due: found.due, total: found.total, state: found.state, holds: found.holds }
}
const due = (units: bigint, total = units) => ({ due: units, total, state: 'due', holds: [] })

test('tickets are owed from refund mode on, money without a ticket at once, and what is early or held never', async () => {
  await pay(alice, 500n, 1)
  await pay(alice, 300n, 2, { tickets: 0 })
  const early = await pay(bob, 900n, 3, { tickets: 0 })
  await db.update(payments).set({ reason: 'early' }).where(sql`id = ${early.id}`)
  expect([await line(), await line(bob)]).toEqual([due(300n), undefined])
  expect(await dues.refundInfo(db, 1)).toEqual({ totalTickets: 0, totalAmount: 0 })
  await refund()
  expect([await line(), await line(bob)]).toEqual([due(800n), undefined])
})

test('tickets of an event that was drawn are owed to nobody', async () => {
  await pay(alice, 500n, 1)
  await recordEnding(db, 1, { kind: 'drawn' })
  expect(await line()).toBeUndefined()
  expect(await dues.refundInfo(db, 1)).toEqual({ totalTickets: 0, totalAmount: 0 })
})

test('what was sent by hand holds the line until it is marked, each mark counts and can be taken back', async () => {
  await pay(alice, 500n, 1)
  await refund()
  const transfer = await send(alice, 200n, 9)
  const held = { due: 500n, total: 500n, state: 'held', holds: ['transfer'] }
  const mark = async (markedAs: TransferMark | null, more = {}) => {
    await facts.markTransfer(db, { ...transfer, markedAs, ...more })
    return line()
  }
  expect(await line()).toEqual(held)
  expect((await dues.refundSummary(db, minUnits)).unmarkedTransfers).toBe(1)
  expect(await facts.releasePayer(db, alice, null, minUnits)).toEqual([])
  expect(await mark('refund')).toEqual(due(300n))
  expect(await mark('prize', { eventNumber: 1, place: 1 })).toEqual(due(500n))
  expect(await mark('none')).toEqual(due(500n))
  expect(await mark(null)).toEqual(held)
})

test('a transfer from before the oldest owed sale, or of a wallet that is not ours, holds nothing', async () => {
  await pay(alice, 500n, 1)
  await refund()
  await send(alice, 200n, -5)
  const foreign = { transactionHash: hash(), wallet: carol, recipient: alice }
  await facts.markTransfer(db, { ...foreign, markedAs: 'refund' })
  expect(await facts.wantedTransfers(db)).toEqual([foreign])
  await facts.addTransfers(db, [{ ...foreign, token, units: 50n, ...place(9) } as never])
  expect([await facts.wantedTransfers(db), await line()]).toEqual([[], due(450n)])
  await facts.markTransfer(db, { ...foreign, markedAs: null })
  expect(await line()).toEqual(due(500n))
})

test('the register pays whoever signs; a payment that a rewind takes leaves surplus, found again it is settled', async () => {
  const { id, ...payment } = await pay(alice, 500n, 1)
  await refund()
  await register(alice, 500n, 500n, 9)
  const settled = { due: 0n, total: 500n, state: 'settled', holds: [] }
  expect(await line()).toEqual(settled)
  await db.delete(payments).where(sql`id = ${id}`)
  expect(await line()).toEqual({ due: -500n, total: 0n, state: 'surplus', holds: [] })
  await db.insert(payments).values(payment)
  expect(await line()).toEqual(settled)
})

test('facts above a replaced block go; another worker writes nothing', async () => {
  await pay(alice, 500n, 1)
  await refund()
  await register(alice, 100n, 100n, 5)
  await register(alice, 200n, 300n, 9)
  const cursor = await facts.getOutgoingCursor(db)
  const to = { height: 5n, hash: place(5).blockHash, blockTime: start }
  await rewindOutgoing(db, to)
  expect(await facts.recordOutgoing(db, cursor, cursor as never, { transfers: [], anchors: [] })).toBe(false)
  expect(await line()).toEqual(due(400n, 500n))
})

test('own money is owed to nobody until that is taken back; a ticket never is own money', async () => {
  const ticket = await pay(alice, 500n, 1)
  const late = await pay(alice, 300n, 2, { tickets: 0 })
  expect(await facts.markOwn(db, late, true)).toBe(true)
  expect([await facts.markOwn(db, ticket, true), await line()]).toEqual([false, undefined])
  expect((await dues.payerFacts(db, alice, minUnits))?.payments).toMatchObject([
    { isOwn: true, received: 0n },
  ])
  await facts.markOwn(db, late, false)
  expect(await line()).toEqual(due(300n))
})

test('dust is only a sum: it is in no page but its own, and not that of somebody who had tickets', async () => {
  await pay(alice, 99n, 1)
  await pay(bob, 99n, 2, { tickets: 0 })
  await pay(carol, 100n, 3, { tickets: 0 })
  await refund()
  const page = async (state?: 'dust') =>
    (await dues.refundPage(db, { minUnits, state, limit: 9 })).map(({ payer }) => payer)
  expect([await page(), await page('dust')]).toEqual([[alice, carol], [bob]])
  expect(await dues.refundSummary(db, minUnits)).toMatchObject({
    ...{ owed: 199n, paid: 0n, due: 199n, held: 0n, dust: { payers: 1, units: 99n } },
    payers: { owed: 2, due: 2, held: 0, sent: 0, settled: 0 },
  })
  expect(await facts.releasePayer(db, bob, 'asked for it', minUnits)).toEqual(['dust'])
  expect([await line(bob), await page()]).toEqual([due(99n), [alice, bob, carol]])
})

test('contracts, exchanges and unread code hold; a release lifts what stood, and a later kind holds again', async () => {
  const exchange = exchanges.Binance[0] as Address
  for (const [index, payer] of [alice, bob, exchange].entries()) await pay(payer, 500n, index + 1)
  await refund()
  await facts.noteCodes(db, [{ payer: alice, isContract: true }])
  const holds = async (payer: Address) => (await line(payer))?.holds
  expect(await facts.uncheckedPayers(db, minUnits, 9)).toEqual([exchange])
  expect(await dues.payableLines(db, { minUnits })).toMatchObject({ lines: [{ payer: bob }], unchecked: 1 })
  await facts.noteCodes(db, [{ payer: exchange, isContract: false }])
  expect([await holds(alice), await holds(exchange)]).toEqual([['contract'], ['exchange']])
  await facts.releasePayer(db, alice, null, minUnits)
  expect(await holds(alice)).toEqual([])
  await db.execute(sql`update payments set block_time = block_time - interval '1 hour'`)
  await facts.reportStolen(db, operator, new Date(start.getTime() - 3_600_000))
  expect(await holds(alice)).toEqual(['stolen'])
  await facts.holdPayer(db, alice, 'wait')
  expect(await holds(alice)).toEqual(['manual', 'contract', 'stolen'])
  expect(await facts.releasePayer(db, alice, null, minUnits)).toEqual(['manual', 'contract', 'stolen'])
  expect(await holds(alice)).toEqual([])
  // A release lifts no more than what was paid before it.
  await pay(alice, 1n, 9, { tickets: 0 })
  expect(await holds(alice)).toEqual(['stolen'])
})

test('a stolen wallet holds what it got since, the earliest date stands, and its sale ends', async () => {
  await pay(alice, 500n, 1, { tickets: 0 })
  await pay(bob, 500n, 60, { tickets: 0 })
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1000)
  expect(await facts.reportStolen(db, carol, at(60))).toBeUndefined()
  expect(await facts.reportStolen(db, operator, at(60))).toEqual(at(60))
  expect(await facts.reportStolen(db, operator, at(90))).toEqual(at(60))
  expect([(await line())?.holds, (await line(bob))?.holds]).toEqual([[], ['stolen']])
  expect((await getOpenEvent(db))?.stoppedAt).toEqual(expect.any(Date))
})

test('a reported hash is on its way until it is final or an hour old', async () => {
  await pay(alice, 500n, 1)
  await refund()
  const sent = hash()
  await facts.noteReport(db, sent, [alice])
  expect(await lineOf(db, alice, minUnits)).toMatchObject({ state: 'sent', transactionHash: sent })
  expect((await dues.payableLines(db, { minUnits })).lines).toMatchObject([{ state: 'sent' }])
  await db.execute(sql`update refund_reports set at = at - interval '1 hour'`)
  expect([(await line())?.state, await facts.openReports(db)]).toEqual(['due', []])
})

test('what came back counts against the oldest payments first, by payment and by event alike', async () => {
  await pay(alice, 5n * cent, 1)
  const second = await pay(alice, 3n * cent, 2)
  await pay(bob, 2n * cent, 3)
  await refund()
  await db.execute(sql`update events set archived_at = now()`)
  await db.execute(sql`insert into events (number, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, min_tickets, sale_start)
    select 2, ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, min_tickets, sale_start + interval '1 hour' from events`)
  const later = await pay(alice, 4n * cent, 4000, { tickets: 0, event: 2 })
  await register(alice, 7n * cent, 7n * cent, 5000)
  const back = await refundsOf(db, [second, later])
  expect([back.get(second.id), back.get(later.id)]).toMatchObject([
    { amount: 2, due: 1, transactionHash: expect.any(String) },
    { amount: 0, due: 4 },
  ])
  expect(await dues.listRefundHistory(db)).toMatchObject([
    { eventNumber: 1, reason: 'minimum', payers: 2, settled: 0, totalAmount: 10, settledAmount: 7 },
  ])
  expect((await dues.refundSummary(db, 1n)).events).toMatchObject([
    { eventNumber: 2, isRefundMode: false, payers: 1, settled: 0, due: 4n * cent },
    { eventNumber: 1, refundInfo: { totalTickets: 3, totalAmount: 10 }, due: 3n * cent },
  ])
  expect(await dues.refundPage(db, { minUnits, event: 2, limit: 9 })).toMatchObject([
    { payer: alice, events: [1, 2], tickets: 2, due: 5n * cent },
  ])
  await register(alice, cent, 8n * cent, 5001)
  expect(await dues.loadOpenRefunds(db)).toMatchObject([{ eventNumber: 1, paid: 1, open: 1 }])
  await register(bob, 2n * cent, 2n * cent, 5002)
  expect(await dues.loadOpenRefunds(db)).toEqual([])
})

test('solvency is what the wallets hold beside dues and the money of open sales; silence is unknown after ten minutes', async () => {
  await pay(alice, 500n, 1, { tickets: 0 })
  await pay(bob, 700n, 2)
  expect(await requiredUnits(db)).toBe(1200n)
  const read = (held: bigint) => noteSolvency(db, { block: { number: 9n, timestamp: 99 }, held })
  await read(1200n)
  const block = { number: 9, timestamp: 99 }
  expect(await loadSolvency(db)).toEqual({ state: 'covered', held: '1200', required: '1200', block })
  await read(1199n)
  await noteSolvency(db, 'unread')
  expect(await loadSolvency(db)).toMatchObject({ state: 'short', held: '1199', block })
  await db.execute(sql`update reports set at = at - interval '11 minutes' where name = 'solvency'`)
  await noteSolvency(db, 'unread')
  expect(await loadSolvency(db)).toMatchObject({ state: 'unknown', held: '1199' })
  const told = await db.execute(sql`select kind from notifications where kind = 'cover_short'`)
  expect(told).toHaveLength(1)
})
