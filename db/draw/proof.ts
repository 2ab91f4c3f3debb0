import { and, eq } from 'drizzle-orm'
import { commitmentOf } from '../../core/draw/anchor.ts'
import type { Proof, ProofAnchor, ProofWinner } from '../../core/draw/proof.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { getEvent } from '../event/events.ts'
import { formerWalletsOf } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { type anchors, type DrawnPayment, draws, events } from '../schema/index.ts'
import { readAnchors } from './anchors.ts'
import { paymentsOfDrawn } from './drawn-tickets.ts'
import { isRevealed } from './revealed.ts'

/**
 * The proof of an event whose winner was announced; undefined before. It never changes afterwards, but for an anchor that is
 * read late: the draw is append-only, and so are list and terms once they are frozen.
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
  const [told, formerWallets, winners, reserves] = await Promise.all([
    readAnchors(db, event),
    formerWalletsOf(db, event),
    drawnWinners(db, draw.winners),
    drawnWinners(db, draw.reserves),
  ])
  return {
    version: 3,
    terms,
    termsSha256: termsSha256(terms),
    commitment: commitmentOf(terms, draw.ledgerSha256),
    list: { sha256: draw.ledgerSha256, lines: event.ledgerLines as number },
    formerWallets,
    anchors: { terms: proofAnchor(told.terms.anchor), list: proofAnchor(told.list?.anchor) },
    ticketsSold: draw.ticketsSold,
    blocks: draw.blocks.map(({ number, hash, timestamp }) => ({ number: Number(number), hash, timestamp })),
    miners: draw.blocks.map(({ miner }) => miner),
    entropy: event.entropy,
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

const proofAnchor = (anchor: typeof anchors.$inferSelect | undefined): ProofAnchor | null =>
  anchor
    ? {
        ...{ wallet: anchor.wallet, transactionHash: anchor.transactionHash },
        ...{ blockNumber: Number(anchor.blockNumber), timestamp: anchor.blockTime.getTime() / 1000 },
      }
    : null

async function drawnWinners(db: Db, drawn: readonly DrawnPayment[]): Promise<ProofWinner[]> {
  const found = await paymentsOfDrawn(db, drawn)
  return found.map(({ payment: { payer, transactionHash, ticketNumber, ticketCount } }) => ({
    ...{ walletAddress: payer, transactionHash, ticketNumber: ticketNumber as number, ticketCount },
  }))
}
