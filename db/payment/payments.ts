import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { centsOf } from '../../core/money.ts'
import type { Payment, Verdict } from '../../core/payment.ts'
import type { PaymentRefund, PurchaseReport, WalletReport } from '../../core/public.ts'
import type { Db } from '../index.ts'
import { events, payments, refundRowPayments, refundRows } from '../schema/index.ts'
import { getClaim } from './claims.ts'

export type JudgedPayment = Payment & Verdict & { blockTime: number }

/**
 * Writes final payments in the order given, which is chain order, and assigns the next ticket numbers. A
 * payment recorded before violates the unique key and fails the caller's transaction, so a range is never
 * folded twice. Returns the number of new tickets.
 */
export async function recordPayments(tx: Db, judged: readonly JudgedPayment[]): Promise<number> {
  if (judged.length === 0) return 0
  const sold = new Map<number, number>()
  for (const event of await tx
    .select({ number: events.number, ticketsSold: events.ticketsSold })
    .from(events)
    .for('update'))
    sold.set(event.number, event.ticketsSold)
  const before = total(sold)
  const ticketNumbers = judged.map((payment) => takeTickets(sold, payment))
  // A text that the server splits costs half of what an array costs; no value is empty or holds a comma.
  const column = (pick: (payment: JudgedPayment, index: number) => unknown) =>
    sql`string_to_array(${judged.map(pick).join()}, ',', '')`
  await tx.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, reason, ticket_number, ticket_count)
    select * from unnest(
      ${column((p) => p.transactionHash)}, ${column((p) => p.payer)}, ${column((p) => p.wallet)},
      ${column((p) => p.eventNumber)}::int[], ${column((p) => p.units)}::numeric[],
      ${column((p) => p.blockNumber)}::bigint[], ${column((p) => p.blockHash)},
      ${column((p) => new Date(p.blockTime * 1000).toISOString())}::timestamptz[],
      ${column((p) => p.transactionIndex)}::int[], ${column((p) => p.firstLogIndex)}::int[],
      ${column((p) => p.status)}, ${column((p) => p.reason)},
      ${column((_, index) => ticketNumbers[index])}::int[], ${column((p) => p.ticketCount)}::int[])`)
  for (const [number, ticketsSold] of sold)
    await tx
      .update(events)
      .set({ ticketsSold })
      .where(and(eq(events.number, number), sql`${events.ticketsSold} <> ${ticketsSold}`))
  return total(sold) - before
}

/** The state of a transaction; undefined if it was never reported and no payment of it was seen. */
export async function reportPurchase(db: Db, hash: Hash): Promise<PurchaseReport | undefined> {
  const claim = await getClaim(db, hash)
  const rows = await db
    .select({ row: payments, refund: refundRows })
    .from(payments)
    .leftJoin(refundRowPayments, ofPayment)
    .leftJoin(refundRows, eq(refundRows.id, refundRowPayments.rowId))
    .where(eq(payments.transactionHash, hash))
    .orderBy(asc(payments.firstLogIndex))
  if (rows.length > 0) {
    const credited = rows.some(({ row }) => row.status === 'credited')
    return {
      transactionHash: hash,
      status: credited ? 'credited' : 'rejected',
      reason: credited ? null : (rows[0]?.row.reason ?? null),
      payments: rows.map(({ row, refund }) => ({
        walletAddress: getAddress(row.payer),
        status: row.status,
        reason: row.reason,
        ticketNumber: row.ticketNumber,
        ticketCount: row.ticketCount,
        amount: Number(centsOf(row.units)),
        refund: refundOf(refund),
      })),
    }
  }
  if (!claim) return undefined
  return {
    transactionHash: hash,
    status: claim.status,
    reason: claim.reason,
    payments: claim.seen.map((seen) => ({
      walletAddress: getAddress(seen.payer),
      status: claim.status,
      reason: claim.reason,
      ticketNumber: null,
      ticketCount: 0,
      amount: Number(centsOf(BigInt(seen.units))),
      refund: null,
    })),
  }
}

/** Payments of a wallet in the current event, newest first, and the tickets they bought. */
export async function listWalletPayments(db: Db, payer: Address): Promise<WalletReport> {
  const rows = await db
    .select({ payment: payments, refund: refundRows })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), isNull(events.archivedAt)))
    .leftJoin(refundRowPayments, ofPayment)
    .leftJoin(refundRows, eq(refundRows.id, refundRowPayments.rowId))
    .where(eq(payments.payer, payer))
    .orderBy(desc(payments.blockNumber), desc(payments.transactionIndex))
    .limit(walletLimit)
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), isNull(events.archivedAt)))
    .where(eq(payments.payer, payer))
  return {
    walletAddress: getAddress(payer),
    ticketCount: sum?.tickets ?? 0,
    payments: rows.map(({ payment, refund }) => ({
      transactionHash: payment.transactionHash,
      status: payment.status,
      reason: payment.reason,
      ticketNumber: payment.ticketNumber,
      ticketCount: payment.ticketCount,
      amount: Number(centsOf(payment.units)),
      createdAt: payment.blockTime.toISOString(),
      refund: refundOf(refund),
    })),
  }
}

/** Enough for a person; a wallet with more purchases finds them all in the ledger file. */
const walletLimit = 500

/** The row that gives a payment back, if there is one. */
const ofPayment = and(eq(refundRowPayments.paymentId, payments.id), refundRowPayments.isLive)

const refundOf = (row: typeof refundRows.$inferSelect | null): PaymentRefund =>
  row && { state: row.state, amount: Number(centsOf(row.units)), transactionHash: row.transactionHash }

function takeTickets(sold: Map<number, number>, payment: JudgedPayment): number | null {
  if (payment.status !== 'credited' || payment.eventNumber === null) return null
  const taken = sold.get(payment.eventNumber) ?? 0
  sold.set(payment.eventNumber, taken + payment.ticketCount)
  return taken + 1
}

const total = (sold: Map<number, number>): number => [...sold.values()].reduce((sum, count) => sum + count, 0)
