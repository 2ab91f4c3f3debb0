import { and, asc, desc, eq, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { blockSeedOf, drawWinner, firstSeed } from '../../core/draw/draw.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { drawingMs, whyNotDrawn } from '../../core/draw/rules.ts'
import { drawAll, type Holding } from '../../core/draw/winners.ts'
import { RaffleError } from '../../core/errors.ts'
import type { PublicDrawnTicket } from '../../core/live/public.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { getScanCursor, recordEnding } from '../event/sale.ts'
import { addChange, bumpVersion, setState } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { fingerprintLedger } from '../payment/ledger.ts'
import { type DrawnPayment, drawnTickets, draws, events, payments } from '../schema/index.ts'
import { insertBeacon } from './beacons.ts'
import { factsOf } from './facts.ts'

type DrawInput = {
  eventNumber: number
  /** D−4 … D, final, on which all endpoints agree. */
  blocks: readonly AgreedBlock[]
  /** The verified round of the beacon; null for `blocks`. */
  beacon: ProofBeacon | null
  /** Who brought it, where it is not stored yet: that belongs to the same transaction. */
  source?: string | undefined
}

/**
 * Inputs, result, ending and version in one transaction, once per event. False where an administrator starts the draw and none
 * wants it. Throws what whyNotDrawn and resultOf say.
 */
export async function recordDraw(db: Db, input: DrawInput): Promise<boolean> {
  const { eventNumber, blocks, beacon, source } = input
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN')
    const known = await factsOf(tx, event)
    if (!known.isWanted) return false
    if (beacon && source) await insertBeacon(tx, { ...beacon, source })
    const refusal = whyNotDrawn({ ...known, isDue: true, beacon: beacon ? 'found' : 'none' })
    if (refusal) throw refusal
    const { row, winners, reserves } = await resultOf(tx, event, blocks, beacon)
    await tx.insert(draws).values({
      ...row,
      winningPayment: (stored(winners)[0] as DrawnPayment).payment,
      winners: stored(winners),
      reserves: stored(reserves),
      drawnAt: sql`clock_timestamp()`,
    })
    // The database takes it with a draw alone.
    if (!(await recordEnding(tx, eventNumber, { kind: 'drawn' }))) throw new RaffleError('REFUND_MODE')
    await bumpVersion(tx)
    return true
  })
}

const stored = (drawn: readonly { ticket: number; payment: { id: number } }[]): DrawnPayment[] =>
  drawn.map(({ ticket, payment }) => ({ ticket, payment: payment.id }))

export async function wantDraw(db: Db, eventNumber: number): Promise<boolean> {
  const { count: wanted } = await db
    .update(events)
    .set({ drawWantedAt: sql`now()` })
    .where(and(eq(events.number, eventNumber), isNull(events.drawWantedAt)))
  return wanted === 1
}

/** A caller waits no longer, so nothing may happen that he was told has failed. False where the event has ended by now. */
export async function unwantDraw(db: Db, eventNumber: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber || event.ending) return false
    await tx.update(events).set({ drawWantedAt: null }).where(eq(events.number, eventNumber))
    return true
  })
}

export type DrawnTicket = typeof drawnTickets.$inferSelect

/** Of each of these events winners in their order, then reserves. */
export const readDrawn = (db: Db, eventNumbers: readonly number[]): Promise<DrawnTicket[]> =>
  db
    .select()
    .from(drawnTickets)
    .where(inArray(drawnTickets.eventNumber, [...eventNumbers]))
    .orderBy(asc(drawnTickets.eventNumber), desc(drawnTickets.kind), asc(drawnTickets.place))

/** As everybody may see it. */
export const publicDrawn = ({
  eventNumber,
  kind,
  place,
  payer,
  transactionHash,
  ticket,
}: DrawnTicket): PublicDrawnTicket => ({
  ...{ eventNumber, kind, place, transactionHash },
  ...{ walletAddress: getAddress(payer), ticketNumber: ticket },
})

/** Hides the announced winner until the archive and lists the change; throws NO_WINNER without one. */
export async function clearWinner(tx: Db) {
  const event = await lockOpenEvent(tx)
  const winner = event && !event.winnerClearedAt && (await getAnnounced(tx, event))
  if (!winner) throw new RaffleError('NO_WINNER', { reason: 'announced' })
  await setState(tx, event, { winnerClearedAt: sql`now()` })
  await addChange(tx, event.number, 'winner', 'announced', 'cleared')
  await bumpVersion(tx)
  return winner
}

/** Announces the same winner again, 10 s from now. False if none is cleared: of parallel calls one gets true. */
export async function announceAgain(tx: Db): Promise<boolean> {
  const event = await lockOpenEvent(tx)
  if (!event?.winnerClearedAt) return false
  await setState(tx, event, { winnerClearedAt: null, redrawnAt: sql`clock_timestamp()` })
  await addChange(tx, event.number, 'winner', 'cleared', 'drawn again: the same winner')
  await bumpVersion(tx)
  return true
}

async function getAnnounced(tx: Db, event: Event) {
  const [row] = await tx
    .select({ randomNumber: draws.randomNumber })
    .from(draws)
    .where(
      and(
        eq(draws.eventNumber, event.number),
        sql`greatest(${draws.drawnAt}, ${event.redrawnAt?.toISOString() ?? null}::timestamptz)
          + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp()`,
      ),
    )
  const [winner] = row ? await readDrawn(tx, [event.number]) : []
  if (!row || !winner) return undefined
  const { walletAddress, transactionHash, ticketNumber } = publicDrawn(winner)
  const randomNumber = `${row.randomNumber}`
  return { eventNumber: event.number, walletAddress, transactionHash, ticketNumber, randomNumber }
}

/** The drawing of a joined draw has ended once: a clear or a second draw does not hide it again. */
export const isRevealed = sql<boolean>`(${events.redrawnAt} is not null
  or ${draws.drawnAt} + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp())`

export type AgreedBlock = { number: bigint; hash: Hash; timestamp: number; miner: Address }

type TicketPayment = Holding & { id: number; payer: Address; transactionHash: Hash }

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
 * The list is hashed again and its tickets counted from its bytes, under the event's lock, which the caller holds. Throws
 * NOT_FINAL while the scan is behind D, EVENT_LOCKED for a list that is not the published one. @internal
 */
export async function resultOf(
  tx: Db,
  { number: eventNumber, ledgerSha256, ledgerLines, entropy, winners }: Event,
  blocks: readonly AgreedBlock[],
  beacon: ProofBeacon | null,
) {
  if ((beacon === null) !== (entropy === 'blocks'))
    throw new Error(`event ${eventNumber} is drawn by ${entropy}`)
  const cursor = await getScanCursor(tx)
  if (!cursor || cursor.height < (blocks.at(-1) as AgreedBlock).number)
    throw new RaffleError('NOT_FINAL', { reason: 'payments' })
  const { sha256, lines, ticketsSold } = await fingerprintLedger(tx, eventNumber)
  if (sha256 !== ledgerSha256 || lines !== ledgerLines)
    throw new RaffleError('EVENT_LOCKED', { reason: 'list', data: { sha256 } })
  const blockSeed = blockSeedOf(blocks.map((block) => block.hash))
  const first = firstSeed(blockSeed, beacon && { randomness: beacon.randomness, ledgerSha256: sha256 })
  const result = drawWinner(first, ticketsSold)
  const drawn = await drawAll(result, winners, {
    ticketsSold,
    holderOf: (ticket) => paymentOfTicket(tx, eventNumber, ticket),
    paymentsOf: (payer) => paymentsOf(tx, eventNumber, payer as Address),
  })
  const stored = blocks.map((block) => ({ ...block, number: `${block.number}` }))
  const row = {
    ...{ eventNumber, blocks: stored, blockSeed, beacon, ledgerSha256: sha256, ticketsSold, ...result },
    turnsFrom: cursor.blockTime,
  }
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
