import { and, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { anchorOfProof } from '../../core/draw/anchored.ts'
import type { Proof, ProofWinner } from '../../core/draw/proof.ts'
import { publicOwnWallets } from '../event/own-wallets.ts'
import type { Db } from '../index.ts'
import { type DrawnPayment, draws, events, payments } from '../schema/index.ts'
import { listAnchors } from './anchors.ts'
import { paymentsOfDrawn } from './drawn-tickets.ts'
import { isRevealed } from './revealed.ts'

const rows = (db: Db) =>
  db
    .select()
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .innerJoin(payments, eq(payments.id, draws.winningPayment))

/**
 * The proof of an event whose winner was announced; undefined before. It never changes afterwards: the draw
 * is append-only, the event's terms were locked, and an anchor must have been found before the draw.
 */
export async function loadProof(db: Db, eventNumber: number): Promise<Proof | undefined> {
  const [row] = await rows(db).where(and(eq(draws.eventNumber, eventNumber), isRevealed))
  if (!row) return undefined
  const { draws: draw, events: event } = row
  const terms = event.terms as string
  const commitment = commitmentOf(terms, draw.ledgerSha256)
  const operatorWallet = event.operatorWallet as Address
  const [anchors, winners, reserves] = await Promise.all([
    listAnchors(db, eventNumber),
    drawnWinners(db, draw.winners),
    drawnWinners(db, draw.reserves),
  ])
  // Of anchors that are unread the last one may be another: who checks the proof finds it, and it is not to contradict.
  const areRead = event.anchorsUnreadFrom === null
  const anchor = areRead ? anchorOfProof(anchors, { operatorWallet, commitment }) : undefined
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
    ownWallets: await publicOwnWallets(db, event.saleEnd),
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
