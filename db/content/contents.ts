import { and, count, eq, inArray, max } from 'drizzle-orm'
import type { CalendarFacts } from '../../core/content/calendar.ts'
import type { EventContent, PublicContent } from '../../core/content/event-content.ts'
import { canonicalJson, contentSha256, promisedText, termsOfContent } from '../../core/content/promised.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Event, getEvent, mustLockEvent } from '../event/events.ts'
import { contentOfEvent } from '../event/next.ts'
import { setTerms } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { changes } from '../schema/index.ts'

/** `revision` is the event that was seen. Throws VERSION_CONFLICT; EVENT_LOCKED where more than links changes too late. */
export async function changeContent(db: Db, content: EventContent, { revision }: { revision: number }) {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (revision !== event.revision) throw new RaffleError('VERSION_CONFLICT')
    const before = await contentOfEvent(tx, event.number)
    if (before && isSameContent(before, content)) return event
    const isOnlyLinks = before && isSameContent(before, { ...content, links: before.links })
    if (!isOnlyLinks && isContentLocked(event))
      throw new RaffleError('EVENT_LOCKED', { reason: 'links', field: 'content' })
    return setTerms(tx, event, {
      content,
      contentSha256: contentSha256(content),
      ...(!isOnlyLinks && termsOfContent(content)),
    })
  })
}

/** Also where only what is not promised differs. */
const isSameContent = (a: EventContent, b: EventContent): boolean => canonicalJson(a) === canonicalJson(b)

export const isContentLocked = ({ archivedAt, hasEnded, lockedAt }: Event): boolean =>
  archivedAt !== null || hasEnded || lockedAt !== null

export async function loadContent(db: Db, eventNumber: number): Promise<PublicContent | undefined> {
  const event = await getEvent(db, eventNumber)
  if (!event) return undefined
  const content = await contentOfEvent(db, eventNumber)
  return {
    ...{ eventNumber, content, contentSha256: event.contentSha256 },
    promised: content && promisedText(content),
  }
}

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
    title: (await contentOfEvent(db, eventNumber))?.title ?? null,
    changes: row?.changes ?? 0,
    changedAt: row?.changedAt ?? null,
    isCancelled: event.refundModeAt !== null,
  }
}
