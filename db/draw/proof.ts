import { and, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import type { Proof, ProofWinner } from '../../core/draw/proof.ts'
import { getEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import { type DrawnPayment, draws, events } from '../schema/index.ts'
import { readAnchors } from './anchors.ts'
import { paymentsOfDrawn } from './drawn-tickets.ts'
import { isRevealed } from './revealed.ts'

/**
 * The proof of an event whose winner was announced; undefined before. It never changes afterwards: the draw
 * is append-only, the event's terms were locked, and an anchor must have been found before the draw.
 */
export async function loadProof(db: Db, eventNumber: number): Promise<Proof | undefined> {
  const [row] = await db
    .select({ draw: draws })
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  const event = row && (await getEvent(db, eventNumber))
  if (!event) return undefined
  const { draw } = row
  const terms = event.terms as string
  const commitment = commitmentOf(terms, draw.ledgerSha256)
  const operatorWallet = event.operatorWallet as Address
  const [{ list }, winners, reserves] = await Promise.all([
    readAnchors(db, event),
    drawnWinners(db, draw.winners),
    drawnWinners(db, draw.reserves),
  ])
  const anchor = list?.anchor
  return {
    version: 2,
    eventNumber,
    chainId: event.chainId,
    token: event.token,
    operatorWallet,
    ticketPrice: `${event.ticketPrice}`,
    saleStart: event.saleStart.toISOString(),
    saleEndDate: (event.saleEnd as Date).toISOString(),
    drawDate: (event.drawDate as Date).toISOString(),
    terms,
    commitment,
    ticketsSold: draw.ticketsSold,
    ledger: { sha256: draw.ledgerSha256, lines: event.ledgerLines as number },
    ownWallets: [],
    secondReading: event.secondReading === true,
    anchor: anchor
      ? {
          transactionHash: anchor.transactionHash,
          blockNumber: Number(anchor.blockNumber),
          timestamp: anchor.blockTime.getTime() / 1000,
        }
      : null,
    entropy: event.entropy,
    blocks: draw.blocks.map(({ number, hash, timestamp }) => ({ number: Number(number), hash, timestamp })),
    miners: draw.blocks.map(({ miner }) => miner),
    blockSeed: draw.blockSeed,
    beacon: draw.beacon,
    seed: draw.seed,
    counter: draw.counter,
    randomNumber: `${draw.randomNumber}`,
    winningTicket: draw.winningTicket,
    winner: winners[0] as ProofWinner,
    winners,
    reserves,
  }
}

async function drawnWinners(db: Db, drawn: readonly DrawnPayment[]): Promise<ProofWinner[]> {
  const found = await paymentsOfDrawn(db, drawn)
  return found.map(({ payment: { payer, transactionHash, ticketNumber, ticketCount } }) => ({
    ...{ walletAddress: payer, transactionHash, ticketNumber: ticketNumber as number, ticketCount },
  }))
}
