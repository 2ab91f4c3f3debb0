import { and, count, eq, inArray, max } from 'drizzle-orm'
import type { CalendarFacts } from '../../core/content/calendar.ts'
import { getEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import { changes } from '../schema/index.ts'
import { contentOfEvent } from './contents.ts'

/** Changes that an entry of a calendar tells. */
const told = ['drawDate', 'saleEndDate', 'saleStart', 'content', 'refundMode']

/** Undefined for an event without a draw date, and for one that does not exist. */
export async function loadCalendar(db: Db, eventNumber: number): Promise<CalendarFacts | undefined> {
  const event = await getEvent(db, eventNumber)
  if (!event?.drawDate) return undefined
  const [row] = await db
    .select({ changes: count(), changedAt: max(changes.at) })
    .from(changes)
    .where(and(eq(changes.eventNumber, eventNumber), inArray(changes.field, told)))
  const { saleStart, saleEnd, drawDate } = event
  return {
    ...{ eventNumber, saleStart, saleEnd, drawDate },
    title: (await contentOfEvent(db, eventNumber))?.content.title ?? null,
    changes: row?.changes ?? 0,
    changedAt: row?.changedAt ?? null,
    isCancelled: event.refundModeAt !== null,
  }
}
