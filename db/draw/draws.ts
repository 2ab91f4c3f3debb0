import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { drawWinner } from '../../core/draw/draw.ts'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { lockOpenEvent } from '../event/events.ts'
import { recordOutcome } from '../event/outcome.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { fingerprintLedger } from '../payment/ledger.ts'
import { draws, payments, workerRequests } from '../schema/index.ts'
import { factsOf } from './facts.ts'
import { answerWorkerRequests, type WorkerRequest } from './worker-requests.ts'

type DrawnBlock = { number: bigint; hash: Hash; timestamp: number }

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
}

/**
 * Draws: inputs, result, answers and version in one transaction. Races cannot draw an event twice, as its row
 * is locked and its number is the draw's key. The list is hashed again under the lock, so a winner always
 * comes from the published list. Throws the error of whyNotDrawn, NOT_FINAL while the scan is behind D,
 * EVENT_LOCKED for a list that is not the published one. False when an administrator starts the draws of this event and no
 * caller waits any longer. Nothing is written in any of these cases.
 */
export async function recordDraw(db: Db, input: DrawInput): Promise<boolean> {
  const { eventNumber, blocks } = input
  const noCallerWaits = new Error('nobody waits')
  const drawing = db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
    const refusal = whyNotDrawn({ ...(await factsOf(tx, event)), isDue: true })
    if (refusal) throw refusal
    const cursor = await getScanCursor(tx)
    if (!cursor || cursor.height < (blocks.at(-1) as DrawnBlock).number)
      throw new RaffleError('NOT_FINAL', 'The chain is still being read. Try again in a moment.')
    const { sha256, lines } = await fingerprintLedger(tx, eventNumber)
    if (sha256 !== event.ledgerSha256 || lines !== event.ledgerLines)
      throw new RaffleError('EVENT_LOCKED', '티켓 명단이 공개된 명단과 다릅니다.', { sha256 })
    const result = drawWinner(
      blocks.map((block) => block.hash),
      event.ticketsSold,
    )
    if (!(await recordOutcome(tx, eventNumber, { kind: 'draw' })))
      throw new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
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
    if (!isHeard && !event.autoDraw) throw noCallerWaits
    await bumpVersion(tx)
    return true
  })
  return drawing.catch((error) => {
    if (error === noCallerWaits) return false
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
