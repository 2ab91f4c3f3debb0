import { desc, eq, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { centsOf } from '../../core/money.ts'
import { drawingMs } from '../../core/state.ts'
import type { Db } from '../index.ts'
import { draws, events, payments, refundBatches, refundRows } from '../schema/index.ts'

/** Before the drawing has ended, administrators do not see the winner either. */
const isRevealed = sql<boolean>`(${events.redrawnAt} is not null
  or ${draws.drawnAt} + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp())`

/** Every event with its draw, newest first. */
export async function listDrawHistory(db: Db) {
  const rows = await db
    .select({ event: events, draw: draws, payment: payments, isRevealed })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .leftJoin(payments, eq(payments.id, draws.winningPayment))
    .orderBy(desc(events.number))
  return rows.map(({ event, draw, payment, isRevealed }) => {
    const winner = isRevealed ? payment : null
    return {
      id: event.number,
      eventNumber: event.number,
      drawDate: event.drawDate?.toISOString() ?? null,
      isActive: event.archivedAt === null,
      isRefundMode: event.refundModeAt !== null,
      winnerCleared: event.winnerClearedAt !== null,
      ticketsSold: event.ticketsSold,
      minTicketsForDraw: event.minTickets,
      ticketPrice: Number(centsOf(event.ticketPrice)) / 100,
      operatorWallet: event.operatorWallet && getAddress(event.operatorWallet),
      ledgerSha256: event.ledgerSha256,
      winnerId: winner?.id ?? null,
      winnerWallet: winner ? getAddress(winner.payer) : null,
      winnerTransactionHash: winner?.transactionHash ?? null,
      winningTicket: winner && draw ? draw.winningTicket : null,
      randomNumber: winner && draw ? `${draw.randomNumber}` : null,
      drawnAt: winner && draw ? draw.drawnAt.toISOString() : null,
    }
  })
}

/** Rounded down by row, as each row is shown. */
const cents = sql`div(${refundRows.units}, 10000000000000000)`

/** Every batch of refunds with its progress, newest first; amounts in hundredths of a USDT. */
export async function listRefundHistory(db: Db) {
  const rows = await db
    .select({
      id: refundBatches.id,
      kind: refundBatches.kind,
      eventNumber: refundBatches.eventNumber,
      createdAt: refundBatches.createdAt,
      rows: sql<number>`count(${refundRows.id})::int`,
      settled: sql<number>`count(*) filter (where ${refundRows.state} = 'settled')::int`,
      cents: sql<string>`coalesce(sum(${cents}), 0)`,
      settledCents: sql<string>`coalesce(sum(${cents}) filter (where ${refundRows.state} = 'settled'), 0)`,
    })
    .from(refundBatches)
    .leftJoin(refundRows, eq(refundRows.batchId, refundBatches.id))
    .groupBy(refundBatches.id)
    .orderBy(desc(refundBatches.id))
  return rows.map(({ cents, settledCents, createdAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    totalAmount: Number(cents),
    settledAmount: Number(settledCents),
  }))
}
