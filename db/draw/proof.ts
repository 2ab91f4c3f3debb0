import { and, eq, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { Proof } from '../../core/draw/proof.ts'
import { drawingMs } from '../../core/state.ts'
import type { Db } from '../index.ts'
import { anchors, draws, events, payments } from '../schema/index.ts'

const rows = (db: Db) =>
  db
    .select()
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .innerJoin(payments, eq(payments.id, draws.winningPayment))
    .leftJoin(
      anchors,
      and(eq(anchors.eventNumber, draws.eventNumber), eq(anchors.ledgerSha256, draws.ledgerSha256)),
    )

/** A clear or a second draw does not hide the proof of a winner who was announced once. */
const isRevealed = sql`(${events.redrawnAt} is not null
  or ${draws.drawnAt} + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp())`

/**
 * The proof of an event whose winner was announced; undefined before. It never changes afterwards: the draw
 * is append-only, the event's terms were locked, and an anchor must have been found before the draw.
 */
export async function loadProof(db: Db, eventNumber: number): Promise<Proof | undefined> {
  const [row] = await rows(db).where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  if (!row) return undefined
  const { draws: draw, events: event, payments: payment, anchors: anchor } = row
  return {
    version: 1,
    eventNumber,
    chainId: event.chainId,
    token: event.token,
    operatorWallet: event.operatorWallet as Address,
    ticketPrice: `${event.ticketPrice}`,
    saleStart: event.saleStart.toISOString(),
    saleEndDate: (event.saleEnd as Date).toISOString(),
    drawDate: (event.drawDate as Date).toISOString(),
    terms: event.terms as string,
    ticketsSold: draw.ticketsSold,
    ledger: { sha256: draw.ledgerSha256, lines: event.ledgerLines as number },
    secondReading: event.secondReading === true,
    anchor: anchor && {
      transactionHash: anchor.transactionHash,
      blockNumber: Number(anchor.blockNumber),
      timestamp: anchor.blockTime.getTime() / 1000,
    },
    blocks: draw.blocks.map(({ number, hash, timestamp }) => ({ number: Number(number), hash, timestamp })),
    seed: draw.seed,
    counter: draw.counter,
    randomNumber: `${draw.randomNumber}`,
    winningTicket: draw.winningTicket,
    winner: {
      walletAddress: payment.payer,
      transactionHash: payment.transactionHash,
      ticketNumber: payment.ticketNumber as number,
      ticketCount: payment.ticketCount,
    },
  }
}

/** The claim facts of an announced winner; undefined before. */
export async function getWinner(db: Db, eventNumber: number) {
  const [row] = await rows(db).where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  return (
    row && {
      eventNumber,
      chainId: row.events.chainId,
      operatorWallet: getAddress(row.events.operatorWallet as Address),
      walletAddress: getAddress(row.payments.payer),
      winningTicket: row.draws.winningTicket,
    }
  )
}
