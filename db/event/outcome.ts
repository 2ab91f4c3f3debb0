import { eq, sql } from 'drizzle-orm'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { events, outcomes } from '../schema/index.ts'
import { addChange } from './changes.ts'
import type { Event } from './events.ts'
import { bumpVersion } from './version.ts'

type Outcome = { kind: 'draw' } | { kind: 'refund'; reason: RefundCause }

/**
 * Records how an event ends; its number is the row's key, so it ends once, in one way. False if it has ended already. The
 * caller holds the event's lock.
 */
export async function recordOutcome(tx: Db, eventNumber: number, outcome: Outcome): Promise<boolean> {
  const rows = await tx
    .insert(outcomes)
    .values({ eventNumber, ...outcome })
    .onConflictDoNothing()
    .returning({ eventNumber: outcomes.eventNumber })
  return rows.length === 1
}

/** Puts an event into refund mode and lists it. False if the event has an outcome already. */
export async function beginRefundMode(
  tx: Db,
  { number }: Pick<Event, 'number'>,
  reason: RefundCause,
): Promise<boolean> {
  if (!(await recordOutcome(tx, number, { kind: 'refund', reason }))) return false
  await tx
    .update(events)
    .set({ refundModeAt: sql`now()`, revision: sql`${events.revision} + 1` })
    .where(eq(events.number, number))
  await addChange(tx, number, 'refundMode', null, 'on')
  await bumpVersion(tx)
  return true
}
