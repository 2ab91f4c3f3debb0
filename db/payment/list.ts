import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import { ifGiven, olderThan } from '../filter.ts'
import type { Db } from '../index.ts'
import { ownMoney, payments } from '../schema/index.ts'

export type PaymentFilter = {
  /** Payments before the one of this id. */
  cursor?: number | undefined
  eventNumber?: number | undefined
  status?: 'credited' | 'rejected' | undefined
  reason?: PaymentReason | undefined
  payer?: Address | undefined
  transactionHash?: Hash | undefined
}

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listPayments(db: Db, filter: PaymentFilter, limit = 100) {
  const where = [
    olderThan(payments.id, filter.cursor),
    ifGiven(payments.eventNumber, filter.eventNumber),
    ifGiven(payments.status, filter.status),
    ifGiven(payments.reason, filter.reason),
    ifGiven(payments.payer, filter.payer),
    ifGiven(payments.transactionHash, filter.transactionHash),
  ]
  const rows = await db
    .select({ ...getTableColumns(payments), isOwn: sql<boolean>`${ownMoney.payer} is not null` })
    .from(payments)
    .leftJoin(
      ownMoney,
      and(
        eq(ownMoney.transactionHash, payments.transactionHash),
        eq(ownMoney.payer, payments.payer),
        eq(ownMoney.wallet, payments.wallet),
      ),
    )
    .where(and(...where))
    .orderBy(desc(payments.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    eventNumber: row.eventNumber,
    transactionHash: row.transactionHash,
    walletAddress: getAddress(row.payer),
    operatorWallet: getAddress(row.wallet),
    status: row.status,
    reason: row.reason,
    ticketNumber: row.ticketNumber,
    ticketCount: row.ticketCount,
    amount: Number(centsOf(row.units)),
    isOwn: row.isOwn,
    blockNumber: Number(row.blockNumber),
    createdAt: row.blockTime.toISOString(),
  }))
}
