import { eq, sql } from 'drizzle-orm'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { endings, events } from '../schema/index.ts'
import { addChange } from './changes.ts'
import type { Event } from './events.ts'
import { expectOpenHouse } from './restored.ts'
import { bumpVersion } from './version.ts'

type Ending = { kind: 'drawn' } | { kind: 'refunds'; reason: RefundCause }

/**
 * Records how an event ends; its number is the row's key, so it ends once, in one way. False if it has ended already. The
 * caller holds the event's lock.
 */
export async function recordEnding(tx: Db, eventNumber: number, ending: Ending): Promise<boolean> {
  await expectOpenHouse(tx)
  const rows = await tx
    .insert(endings)
    .values({ eventNumber, ...ending })
    .onConflictDoNothing()
    .returning({ eventNumber: endings.eventNumber })
  return rows.length === 1
}

/** How an event has ended; undefined before. */
export async function getEnding(db: Db, eventNumber: number) {
  const [row] = await db.select().from(endings).where(eq(endings.eventNumber, eventNumber))
  return row
}

/** Puts an event into refund mode and lists it. False if the event has an ending already. */
export async function beginRefundMode(
  tx: Db,
  { number }: Pick<Event, 'number'>,
  reason: RefundCause,
): Promise<boolean> {
  if (!(await recordEnding(tx, number, { kind: 'refunds', reason }))) return false
  await tx
    .update(events)
    .set({ revision: sql`${events.revision} + 1` })
    .where(eq(events.number, number))
  await addChange(tx, number, 'refundMode', null, 'on')
  await bumpVersion(tx)
  return true
}
