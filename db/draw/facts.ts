import { and, eq, sql } from 'drizzle-orm'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { type BeaconNetwork, beaconLostDays, quicknet } from '../../core/draw/beacon.ts'
import type { Proof, ProofAnchor, ProofWinner } from '../../core/draw/proof.ts'
import { type DrawFacts, dueRefund, whyNotDrawn } from '../../core/draw/rules.ts'
import { dateByOf, drawByOf } from '../../core/event/event.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { type Event, getEvent, getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { beginRefundMode, endSaleNow } from '../event/sale.ts'
import { firstTicketTime, formerWalletsOf } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { type anchors, draws, events } from '../schema/index.ts'
import { readAnchors } from './anchors.ts'
import { findSignature, isLaterKnown } from './beacons.ts'
import { type DrawnTicket, isRevealed, readDrawn } from './draws.ts'

/** `isWanted`: the worker draws, as the event says so, an administrator wants it, or its last day has come. */
type KnownFacts = DrawFacts & { isWanted: boolean }

export async function getDrawFacts(db: Db, network?: BeaconNetwork) {
  const event = await getOpenEvent(db)
  return event && { event, facts: await factsOf(db, event, { network }) }
}

/**
 * `isDue` by the database's clock. Deadlines by the last folded block, or `finalTime` (seconds) of one just seen; without that,
 * after an hour without a block, by the clock, so that no outage keeps money for ever.
 */
export async function factsOf(
  db: Db,
  event: Event,
  {
    finalTime,
    network = quicknet,
  }: { finalTime?: number | undefined; network?: BeaconNetwork | undefined } = {},
): Promise<KnownFacts> {
  const { number, drawDate } = event
  // `reached`: the time of the last folded block; after an hour without one the database's clock.
  const [row] = await db.execute<{
    now: string
    sold: number
    lost: boolean
    reached: string | null
  }>(sql`
    select clock_timestamp() as now, tickets_of(${number}) as sold,
      exists (select from payments where event_number = ${number} and lost_at < ${drawDate?.toISOString() ?? null}::timestamptz) as lost,
      (select greatest(block_time, case when ${finalTime === undefined} and updated_at < clock_timestamp() - interval '1 hour'
        then clock_timestamp() end) from cursors where name = 'payments') as reached`)
  if (!row) throw new Error('the database has no answer')
  const reached = Math.max((finalTime ?? 0) * 1000, row.reached ? Date.parse(row.reached) : 0)
  const hasCome = (date: Date | null) => date !== null && reached >= date.getTime()
  const firstTicketAt = drawDate || row.sold === 0 ? null : await firstTicketTime(db, event)
  return {
    isDue: drawDate !== null && drawDate.getTime() <= Date.parse(row.now),
    isFrozen: event.frozenAt !== null,
    ...{ ticketsSold: row.sold, minTickets: event.minTickets },
    isRefunded: event.ending === 'refunds',
    isDrawn: event.ending === 'drawn',
    isOverdue: hasCome(firstTicketAt && dateByOf(firstTicketAt)),
    isListLost: row.lost,
    beacon: event.entropy === 'blocks' ? 'none' : await beaconOf(db, event, network, reached),
    isWanted: event.autoDraw || event.drawWantedAt !== null || hasCome(drawDate && drawByOf(drawDate)),
  }
}

const beaconLostMs = beaconLostDays * 86_400_000

/** `reached`: in milliseconds. */
async function beaconOf(db: Db, { beaconRound: round }: Event, network: BeaconNetwork, reached: number) {
  if (!round) return 'pending'
  if (await findSignature(db, round, network)) return 'found'
  const isLate = reached >= round.time * 1000 + beaconLostMs
  return isLate && (await isLaterKnown(db, round, network)) ? 'lost' : 'pending'
}

/** Events that need a worker: for draw or refunds, or for their round and blocks, which nodes may drop before a draw. */
export async function dueDraws(db: Db, network?: BeaconNetwork): Promise<number[]> {
  const found = await getDrawFacts(db, network)
  if (!found) return []
  const { event, facts } = found
  const refusal = whyNotDrawn(facts)?.code
  const isDue =
    dueRefund(facts) !== undefined ||
    refusal === 'BEACON_PENDING' ||
    (refusal === undefined && (facts.isWanted || !event.drawBlocks))
  return isDue ? [event.number] : []
}

/** Undefined before the winner was announced. It never changes, but for an anchor that is read late. */
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
  const [told, formerWallets, drawn] = await Promise.all([
    readAnchors(db, event),
    formerWalletsOf(db, event),
    readDrawn(db, [eventNumber]),
  ])
  const ofKind = (kind: DrawnTicket['kind']) => drawn.filter((one) => one.kind === kind).map(proofWinner)
  const winners = ofKind('winner')
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
    reserves: ofKind('reserve'),
  }
}

const proofAnchor = (anchor: typeof anchors.$inferSelect | undefined): ProofAnchor | null =>
  anchor
    ? {
        ...{ wallet: anchor.wallet, transactionHash: anchor.transactionHash },
        ...{ blockNumber: Number(anchor.blockNumber), timestamp: anchor.blockTime.getTime() / 1000 },
      }
    : null

const proofWinner = ({ payer, transactionHash, ticketNumber, ticketCount }: DrawnTicket): ProofWinner => ({
  ...{ walletAddress: payer, transactionHash, ticketNumber, ticketCount },
})

/**
 * For too few tickets, no draw date in time (the sale ends with it), a lost line of the list or a lost beacon. `finalTime` (seconds) is of a block just
 * seen, and then no clock is asked. Answers the cause if this call did it; safe to run twice.
 */
export async function enterRefundMode(
  db: Db,
  eventNumber: number,
  { finalTime, network }: { finalTime?: number | undefined; network?: BeaconNetwork | undefined } = {},
): Promise<RefundCause | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) return undefined
    const facts = await factsOf(tx, event, { finalTime, network })
    const isDue = event.drawDate !== null && (finalTime ?? 0) * 1000 >= event.drawDate.getTime()
    const cause = dueRefund({ ...facts, isDue })
    if (!cause) return undefined
    const begun = await beginRefundMode(tx, event, cause)
    if (begun && !event.drawDate) await endSaleNow(tx, event)
    return begun ? cause : undefined
  })
}
