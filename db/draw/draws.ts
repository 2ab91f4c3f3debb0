import { and, asc, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import { drawWinner } from '../../core/draw/draw.ts'
import { type DrawFacts, mustRefund, whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { drawingMs } from '../../core/state.ts'
import { addChange } from '../event/changes.ts'
import { type Event, getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { fingerprintLedger } from '../payment/ledger.ts'
import { draws, events, payments, refundBatches, workerRequests } from '../schema/index.ts'
import { dueAnchors } from './anchors.ts'
import { answerWorkerRequests, type WorkerRequest } from './worker-requests.ts'

export type DrawnBlock = { number: bigint; hash: Hash; timestamp: number }

/** The open event and the facts that decide about its draw; `isDue` by the database's clock. */
export async function getDrawFacts(db: Db): Promise<{ event: Event; facts: DrawFacts } | undefined> {
  const event = await getOpenEvent(db)
  return event && { event, facts: await factsOf(db, event) }
}

/** What decides about the draw of an event; `isDue` by the database's clock. */
export async function factsOf(db: Db, event: Event): Promise<DrawFacts> {
  const [row] = await db.execute<{ due: boolean | null; drawn: boolean; batch: boolean }>(sql`
    select (select draw_date <= clock_timestamp() from ${events} where number = ${event.number}) as due,
      exists (select 1 from ${draws} where event_number = ${event.number}) as drawn,
      exists (select 1 from ${refundBatches} where event_number = ${event.number} and kind = 'event') as batch`)
  return {
    isDue: row?.due === true,
    isFrozen: event.frozenAt !== null,
    isHalted: event.haltedAt !== null,
    ticketsSold: event.ticketsSold,
    minTickets: event.minTickets,
    isRefunded: event.refundModeAt !== null || row?.batch === true,
    isDrawn: row?.drawn === true,
  }
}

/**
 * Events that need a worker: a caller waits for a draw, or the draw date has passed without a winner or
 * refund mode. With `autoDraw` off, an event that could be drawn waits.
 */
export async function dueDraws(db: Db, { autoDraw }: { autoDraw: boolean }): Promise<number[]> {
  const rows = await db
    .select({ number: events.number })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(
      and(
        isNull(events.archivedAt),
        sql`(
          exists (select 1 from ${workerRequests} where ${workerRequests.eventNumber} = ${events.number} and ${workerRequests.kind} = 'draw'
            and ${workerRequests.answeredAt} is null and ${workerRequests.expiresAt} > now())
          or (${events.drawDate} <= now() and ${draws.eventNumber} is null and ${events.refundModeAt} is null
            and ${events.haltedAt} is null and ${events.frozenAt} is not null and ${events.ticketsSold} > 0
            and (${autoDraw} or ${events.ticketsSold} < ${events.minTickets})))`,
      ),
    )
  return rows.map((row) => row.number)
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

type DrawInput = {
  eventNumber: number
  /** D−4 … D, final, on which all endpoints agree. */
  blocks: readonly DrawnBlock[]
  /** Calls that wait for this draw. */
  workerRequests: readonly WorkerRequest[]
  autoDraw: boolean
}

/**
 * Draws: inputs, result, answers and version in one transaction. Races cannot draw an event twice, as its row
 * is locked and its number is the draw's key. The list is hashed again under the lock, so a winner always
 * comes from the published list. Throws the error of whyNotDrawn, NOT_FINAL while the scan is behind D,
 * EVENT_LOCKED for a list that is not the published one. False when `autoDraw` is off and no caller waits any
 * longer. Nothing is written in any of these cases.
 */
export async function recordDraw(db: Db, input: DrawInput): Promise<boolean> {
  const { eventNumber, blocks } = input
  const nobodyWaits = new Error('nobody waits')
  const drawing = db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
    const refusal = whyNotDrawn({ ...(await factsOf(tx, event)), isDue: true })
    if (refusal) throw refusal
    const cursor = await getScanCursor(tx)
    if (!cursor || cursor.height < (blocks.at(-1) as DrawnBlock).number)
      throw new RaffleError('NOT_FINAL', 'The chain is still being read. Try again in a moment.')
    if ((await dueAnchors(tx)).includes(eventNumber))
      throw new RaffleError('NOT_FINAL', 'The anchor is still being looked at. Try again in a moment.')
    const { sha256, lines } = await fingerprintLedger(tx, eventNumber)
    if (sha256 !== event.ledgerSha256 || lines !== event.ledgerLines)
      throw new RaffleError('EVENT_LOCKED', 'The ticket list is not the one that was published.', { sha256 })
    const result = drawWinner(
      blocks.map((block) => block.hash),
      event.ticketsSold,
    )
    await tx.insert(draws).values({
      eventNumber,
      blocks: blocks.map(({ number, hash, timestamp }) => ({ number: `${number}`, hash, timestamp })),
      ledgerSha256: sha256,
      ticketsSold: event.ticketsSold,
      ...result,
      winningPayment: await paymentOfTicket(tx, eventNumber, result.winningTicket),
      drawnAt: sql`clock_timestamp()`,
    })
    const isHeard = await answerCalls(tx, input.workerRequests)
    if (!isHeard && !input.autoDraw) throw nobodyWaits
    await bumpVersion(tx)
    return true
  })
  return drawing.catch((error) => {
    if (error === nobodyWaits) return false
    throw error
  })
}

/** Answers the oldest call as the one that drew, the others as too late. False if no caller waits. */
async function answerCalls(tx: Db, calls: readonly WorkerRequest[]): Promise<boolean> {
  const answered = await answerWorkerRequests(
    tx,
    calls.map((call) => call.id),
    { code: 'ALREADY_DRAWN', message: 'This event has been drawn.' },
  )
  const [first] = answered
  if (first === undefined) return false
  await tx.update(workerRequests).set({ code: null, message: null }).where(eq(workerRequests.id, first))
  return true
}

async function paymentOfTicket(tx: Db, eventNumber: number, ticket: number): Promise<number> {
  const [row] = await tx
    .select({ id: payments.id, last: sql<number>`${payments.ticketNumber} + ${payments.ticketCount} - 1` })
    .from(payments)
    .where(and(eq(payments.eventNumber, eventNumber), lte(payments.ticketNumber, ticket)))
    .orderBy(desc(payments.ticketNumber))
    .limit(1)
  if (!row || row.last < ticket) throw new Error(`ticket ${ticket} of event ${eventNumber} is nobody's`)
  return row.id
}

/** Puts an event that sold too few tickets into refund mode; true if this call did it. Safe to run twice. */
export async function enterRefundMode(db: Db, eventNumber: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber || !mustRefund({ ...(await factsOf(tx, event)), isDue: true }))
      return false
    await tx
      .update(events)
      .set({ refundModeAt: sql`now()`, revision: sql`${events.revision} + 1` })
      .where(eq(events.number, eventNumber))
    await addChange(tx, eventNumber, 'refundMode', null, 'on')
    await bumpVersion(tx)
    return true
  })
}

export type ClearedWinner = {
  eventNumber: number
  walletAddress: Address
  transactionHash: Hash
  ticketNumber: number
  randomNumber: string
}

/** Hides the announced winner until the archive and lists the change; throws NO_WINNER without one. */
export async function clearWinner(tx: Db): Promise<ClearedWinner> {
  const event = await lockOpenEvent(tx)
  const winner = event && !event.winnerClearedAt && (await getAnnounced(tx, event))
  if (!winner) throw new RaffleError('NO_WINNER', 'There is no announced winner.')
  await tx
    .update(events)
    .set({ winnerClearedAt: sql`now()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, event.number))
  await addChange(tx, event.number, 'winner', 'announced', 'cleared')
  await bumpVersion(tx)
  return winner
}

/**
 * Announces the same winner again after a clear, 10 s from now as the first time. False if no winner is
 * cleared: of parallel calls one gets true.
 */
export async function announceAgain(tx: Db): Promise<boolean> {
  const event = await lockOpenEvent(tx)
  if (!event?.winnerClearedAt) return false
  await tx
    .update(events)
    .set({ winnerClearedAt: null, redrawnAt: sql`clock_timestamp()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, event.number))
  await addChange(tx, event.number, 'winner', 'cleared', 'drawn again: the same winner')
  await bumpVersion(tx)
  return true
}

/** The winner of an event, once its drawing has ended. */
async function getAnnounced(tx: Db, event: Event): Promise<ClearedWinner | undefined> {
  const [row] = await tx
    .select()
    .from(draws)
    .innerJoin(payments, eq(payments.id, draws.winningPayment))
    .where(
      and(
        eq(draws.eventNumber, event.number),
        sql`greatest(${draws.drawnAt}, ${event.redrawnAt?.toISOString() ?? null}::timestamptz)
          + ${`${drawingMs} milliseconds`}::interval <= clock_timestamp()`,
      ),
    )
    .orderBy(asc(draws.eventNumber))
  return (
    row && {
      eventNumber: event.number,
      walletAddress: getAddress(row.payments.payer),
      transactionHash: row.payments.transactionHash,
      ticketNumber: row.draws.winningTicket,
      randomNumber: `${row.draws.randomNumber}`,
    }
  )
}
