import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import type { PurchaseReport, WalletReport } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { Db } from '../index.ts'
import { getClaim } from '../payment/claims.ts'
import { refundsOf } from '../refund/dues.ts'
import { events, payments } from '../schema/index.ts'

/** The state of a transaction; undefined if it was never reported and no payment of it was seen. */
export async function reportPurchase(db: Db, hash: Hash): Promise<PurchaseReport | undefined> {
  const claim = await getClaim(db, hash)
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.transactionHash, hash))
    .orderBy(asc(payments.firstLogIndex))
  if (rows.length > 0) {
    const credited = rows.some(({ status }) => status === 'credited')
    const refunds = await refundsOf(
      db,
      rows.map(({ id }) => id),
    )
    return {
      transactionHash: hash,
      status: credited ? 'credited' : 'rejected',
      reason: credited ? null : (rows[0]?.reason ?? null),
      payments: rows.map((row) => ({
        walletAddress: getAddress(row.payer),
        status: row.status,
        reason: row.reason,
        ticketNumber: row.ticketNumber,
        ticketCount: row.ticketCount,
        amount: Number(centsOf(row.units)),
        refund: refunds.get(row.id) ?? null,
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
    .select({ payment: payments })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), isNull(events.archivedAt)))
    .where(eq(payments.payer, payer))
    .orderBy(desc(payments.blockNumber), desc(payments.transactionIndex))
    .limit(walletLimit)
  const refunds = await refundsOf(
    db,
    rows.map(({ payment }) => payment.id),
  )
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), isNull(events.archivedAt)))
    .where(eq(payments.payer, payer))
  return {
    walletAddress: getAddress(payer),
    ticketCount: sum?.tickets ?? 0,
    payments: rows.map(({ payment }) => ({
      transactionHash: payment.transactionHash,
      status: payment.status,
      reason: payment.reason,
      ticketNumber: payment.ticketNumber,
      ticketCount: payment.ticketCount,
      amount: Number(centsOf(payment.units)),
      createdAt: payment.blockTime.toISOString(),
      refund: refunds.get(payment.id) ?? null,
    })),
  }
}

/** Enough for a person; a wallet with more purchases finds them all in the ledger file. */
const walletLimit = 500
