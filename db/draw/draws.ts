import { eq, sql } from 'drizzle-orm'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { lockOpenEvent } from '../event/events.ts'
import { recordEnding } from '../event/outcome.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { openPrizes } from '../prize/open.ts'
import { type DrawnPayment, draws, workerRequests } from '../schema/index.ts'
import { insertBeacon } from './beacons.ts'
import { factsOf } from './facts.ts'
import { type AgreedBlock, resultOf } from './result.ts'
import { answerWorkerRequests, type WorkerRequest } from './worker-requests.ts'

export type DrawInput = {
  eventNumber: number
  /** D−4 … D, final, on which all endpoints agree. */
  blocks: readonly AgreedBlock[]
  /** The verified round of the beacon; null for `blocks`. */
  beacon: ProofBeacon | null
  /** Who brought it, where it is not stored yet: that belongs to the same transaction. */
  source?: string | undefined
  /** Calls that wait for this draw. */
  workerRequests: readonly WorkerRequest[]
}

/**
 * Draws: inputs, result, answers and version in one transaction. Races cannot draw an event twice, as its row
 * is locked and its number is the draw's key. Throws the error of whyNotDrawn, and those of resultOf. False when an administrator starts the draws of this event and no
 * caller waits any longer. Nothing is written in any of these cases.
 */
export async function recordDraw(db: Db, input: DrawInput): Promise<boolean> {
  const { eventNumber, blocks, beacon, source } = input
  const noCallerWaits = new Error('nobody waits')
  const drawing = db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
    if (beacon && source) await insertBeacon(tx, { ...beacon, source })
    const refusal = whyNotDrawn({ ...(await factsOf(tx, event)), isDue: true })
    if (refusal) throw refusal
    const { row, winners, reserves } = await resultOf(tx, event, blocks, beacon)
    if (!(await recordEnding(tx, eventNumber, { kind: 'drawn' })))
      throw new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
    await tx.insert(draws).values({
      ...row,
      winningPayment: (stored(winners)[0] as DrawnPayment).payment,
      winners: stored(winners),
      reserves: stored(reserves),
      drawnAt: sql`clock_timestamp()`,
    })
    await openPrizes(tx, eventNumber)
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

const stored = (drawn: readonly { ticket: number; payment: { id: number } }[]): DrawnPayment[] =>
  drawn.map(({ ticket, payment }) => ({ ticket, payment: payment.id }))

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
