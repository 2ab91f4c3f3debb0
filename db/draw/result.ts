import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { blockSeedOf, type DrawResult, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { type DrawnTicket, drawAll, type Holding } from '../../core/draw/winners.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Event } from '../event/events.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { fingerprintLedger } from '../payment/ledger.ts'
import type { DrawBlock } from '../schema/index.ts'
import { payments } from '../schema/index.ts'

/** A block as the endpoints agree on it. */
export type AgreedBlock = { number: bigint; hash: Hash; timestamp: number; miner: Address }

type TicketPayment = Holding & { id: number; payer: Address; transactionHash: Hash }

type RuleResult = {
  /** What is stored of it. */
  row: DrawResult & {
    eventNumber: number
    blocks: DrawBlock[]
    blockSeed: Hex
    beacon: ProofBeacon | null
    ledgerSha256: Hex
    ticketsSold: number
  }
  winners: DrawnTicket<TicketPayment>[]
  reserves: DrawnTicket<TicketPayment>[]
}

/** Height of the newest block with a payment of this event: the draw block lies above it. */
export async function lastLedgerBlock(db: Db, eventNumber: number): Promise<bigint> {
  const [row] = await db
    .select({ height: payments.blockNumber })
    .from(payments)
    .where(and(eq(payments.eventNumber, eventNumber), gte(payments.ticketNumber, 1)))
    .orderBy(desc(payments.ticketNumber))
    .limit(1)
  return row?.height ?? 0n
}

/**
 * What the rule makes of the published list, of D−4 … D, final and agreed on, and of the beacon's round where the event
 * mixes one in. The list is hashed again, and its tickets counted by its last line, under the
 * event's lock, which the caller holds, so a ticket always comes from the published one. Throws NOT_FINAL while the scan is
 * behind D, EVENT_LOCKED for a list that is not the published one.
 */
export async function resultOf(
  tx: Db,
  { number: eventNumber, ledgerSha256, ledgerLines, entropy, winners }: Event,
  blocks: readonly AgreedBlock[],
  beacon: ProofBeacon | null,
): Promise<RuleResult> {
  if ((beacon === null) !== (entropy === 'blocks'))
    throw new Error(`event ${eventNumber} is drawn by ${entropy}`)
  const cursor = await getScanCursor(tx)
  if (!cursor || cursor.height < (blocks.at(-1) as AgreedBlock).number)
    throw new RaffleError('NOT_FINAL', 'The chain is still being read. Try again in a moment.')
  const { sha256, lines, ticketsSold } = await fingerprintLedger(tx, eventNumber)
  if (sha256 !== ledgerSha256 || lines !== ledgerLines)
    throw new RaffleError('EVENT_LOCKED', '티켓 명단이 공개된 명단과 다릅니다.', { sha256 })
  const blockSeed = blockSeedOf(blocks.map((block) => block.hash))
  const first = firstSeed(blockSeed, beacon && { randomness: beacon.randomness, ledgerSha256: sha256 })
  const result = drawWinner(first, ticketsSold)
  const drawn = await drawAll(result, winners, {
    ticketsSold,
    holderOf: (ticket) => paymentOfTicket(tx, eventNumber, ticket),
    paymentsOf: (payer) => paymentsOf(tx, eventNumber, payer as Address),
  })
  const stored = blocks.map((block) => ({ ...block, number: `${block.number}` }))
  const row = { eventNumber, blocks: stored, blockSeed, beacon, ledgerSha256: sha256, ticketsSold, ...result }
  return { row, ...drawn }
}

async function paymentOfTicket(tx: Db, eventNumber: number, ticket: number): Promise<TicketPayment> {
  const { id, payer, transactionHash, ticketCount } = payments
  const ticketNumber = sql<number>`${payments.ticketNumber}`
  const [row] = await tx
    .select({ id, payer, transactionHash, ticketNumber, ticketCount })
    .from(payments)
    .where(and(eq(payments.eventNumber, eventNumber), lte(payments.ticketNumber, ticket)))
    .orderBy(desc(payments.ticketNumber))
    .limit(1)
  if (!row || row.ticketNumber + row.ticketCount <= ticket)
    throw new Error(`ticket ${ticket} of event ${eventNumber} is nobody's`)
  return row
}

const paymentsOf = (tx: Db, eventNumber: number, payer: Address): Promise<Holding[]> =>
  tx
    .select({
      payer: payments.payer,
      ticketNumber: sql<number>`${payments.ticketNumber}`,
      ticketCount: payments.ticketCount,
    })
    .from(payments)
    .where(
      and(eq(payments.eventNumber, eventNumber), eq(payments.payer, payer), gte(payments.ticketNumber, 1)),
    )
