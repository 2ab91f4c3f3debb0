import { desc, eq } from 'drizzle-orm'
import { getAddress } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { centsOf } from '../../core/money.ts'
import { loadDrawnTickets } from '../draw/drawn-tickets.ts'
import { isRevealed } from '../draw/revealed.ts'
import type { Db } from '../index.ts'
import { draws, events, payments } from '../schema/index.ts'
import { eventColumns } from './events.ts'

/**
 * Every event with its draw, newest first; `drawn` are its winners in order, then the reserves. Before the drawing has ended,
 * administrators do not see the winner either.
 */
export async function listDrawHistory(db: Db) {
  const rows = await db
    .select({ event: eventColumns, draw: draws, payment: payments, isRevealed })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .leftJoin(payments, eq(payments.id, draws.winningPayment))
    .orderBy(desc(events.number))
  const drawn = await loadDrawnTickets(
    db,
    rows.flatMap(({ draw, isRevealed }) => (draw && isRevealed ? [draw] : [])),
  )
  return rows.map(({ event, draw, payment, isRevealed }) => {
    const winner = isRevealed ? payment : null
    const told = isRevealed ? draw : null
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
      commitment:
        (event.terms && event.ledgerSha256 && commitmentOf(event.terms, event.ledgerSha256)) || null,
      entropy: event.entropy,
      winners: event.winners,
      winnerId: winner?.id ?? null,
      winnerWallet: winner ? getAddress(winner.payer) : null,
      winnerTransactionHash: winner?.transactionHash ?? null,
      winningTicket: told?.winningTicket ?? null,
      randomNumber: told ? `${told.randomNumber}` : null,
      drawnAt: told?.drawnAt.toISOString() ?? null,
      blockSeed: told?.blockSeed ?? null,
      beaconRound: told?.beacon?.round ?? null,
      beaconSignature: told?.beacon?.signature ?? null,
      drawn: drawn.filter(({ eventNumber }) => eventNumber === event.number),
    }
  })
}
