import { and, asc, eq, not } from 'drizzle-orm'
import { getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { centsOf } from '../../core/money.ts'
import type { Db } from '../index.ts'
import { operatorTransfers, payments, refundRowPayments, refundRows } from '../schema/index.ts'

/** What a row rests on: the payments that it gives back, and the final transfers that count as its refund. */
export async function readRefundRow(db: Db, id: number) {
  const [row] = await db.select().from(refundRows).where(eq(refundRows.id, id))
  if (!row) throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
  const paidIn = await db
    .select({ payment: payments, isLive: refundRowPayments.isLive })
    .from(refundRowPayments)
    .innerJoin(payments, eq(payments.id, refundRowPayments.paymentId))
    .where(eq(refundRowPayments.rowId, id))
    .orderBy(asc(payments.blockNumber), asc(payments.firstLogIndex))
  const paidOut = await db
    .select()
    .from(operatorTransfers)
    .where(and(eq(operatorTransfers.rowId, id), not(operatorTransfers.isGone)))
    .orderBy(asc(operatorTransfers.blockNumber), asc(operatorTransfers.logPosition))
  return {
    id,
    payer: getAddress(row.payer),
    hold: row.hold,
    releasedAt: row.releasedAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
    offered: row.offeredAt && {
      at: row.offeredAt.toISOString(),
      wallet: row.offeredWallet && getAddress(row.offeredWallet),
      nonce: row.offeredNonce,
      nonceBound: row.nonceBound,
    },
    payments: paidIn.flatMap(({ payment, isLive }) =>
      isLive
        ? {
            transactionHash: payment.transactionHash,
            amount: Number(centsOf(payment.units)),
            ticketCount: payment.ticketCount,
            reason: payment.reason,
            blockNumber: Number(payment.blockNumber),
            at: payment.blockTime.toISOString(),
          }
        : [],
    ),
    transfers: paidOut.map((transfer) => ({
      transactionHash: transfer.transactionHash,
      wallet: getAddress(transfer.wallet),
      to: getAddress(transfer.recipient),
      amount: Number(centsOf(transfer.units)),
      blockNumber: Number(transfer.blockNumber),
      at: transfer.blockTime.toISOString(),
    })),
  }
}
