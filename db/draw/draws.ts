import { eq, sql } from 'drizzle-orm'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import { whyNotDrawn } from '../../core/draw/rules.ts'
import { RaffleError } from '../../core/errors.ts'
import { lockOpenEvent } from '../event/events.ts'
import { getEnding, recordEnding } from '../event/outcome.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { type DrawnPayment, draws, wantedDraws } from '../schema/index.ts'
import { insertBeacon } from './beacons.ts'
import { factsOf } from './facts.ts'
import { type AgreedBlock, resultOf } from './result.ts'

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
 * Draws: inputs, result, ending and version in one transaction. Races cannot draw an event twice, as its row is locked
 * and its number is the key of its ending. Throws the error of whyNotDrawn, and those of resultOf. False where an administrator
 * starts the draw of this event and none wants it. Nothing is written in any of these cases.
 */
export async function recordDraw(db: Db, input: DrawInput): Promise<boolean> {
  const { eventNumber, blocks, beacon, source } = input
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (event?.number !== eventNumber) throw new RaffleError('ALREADY_DRAWN', 'This event is over.')
    const known = await factsOf(tx, event)
    if (!known.isWanted) return false
    if (beacon && source) await insertBeacon(tx, { ...beacon, source })
    const refusal = whyNotDrawn({ ...known, isDue: true, beacon: beacon ? 'found' : 'none' })
    if (refusal) throw refusal
    const { row, winners, reserves } = await resultOf(tx, event, blocks, beacon)
    const cursor = await getScanCursor(tx)
    // A list is frozen by what was read, so something was.
    if (!cursor) throw new RaffleError('NOT_FINAL', 'The chain has not been read yet.')
    await tx.insert(draws).values({
      ...row,
      winningPayment: (stored(winners)[0] as DrawnPayment).payment,
      winners: stored(winners),
      reserves: stored(reserves),
      drawnAt: sql`clock_timestamp()`,
      turnsFrom: cursor.blockTime,
    })
    // The database takes it with a draw alone.
    if (!(await recordEnding(tx, eventNumber, { kind: 'drawn' })))
      throw new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
    await bumpVersion(tx)
    return true
  })
}

const stored = (drawn: readonly { ticket: number; payment: { id: number } }[]): DrawnPayment[] =>
  drawn.map(({ ticket, payment }) => ({ ticket, payment: payment.id }))

/** An administrator wants the draw. True for the call that said so first. */
export async function wantDraw(db: Db, eventNumber: number): Promise<boolean> {
  const rows = await db
    .insert(wantedDraws)
    .values({ eventNumber })
    .onConflictDoNothing()
    .returning({ eventNumber: wantedDraws.eventNumber })
  return rows.length === 1
}

/**
 * Takes the wish of a caller back who waits no longer, so that nothing happens that he was told has failed. False where the
 * event has ended by now: the draw holds its lock too.
 */
export async function unwantDraw(db: Db, eventNumber: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    if (await getEnding(tx, eventNumber)) return false
    await tx.delete(wantedDraws).where(eq(wantedDraws.eventNumber, eventNumber))
    return true
  })
}
