import type { EventContent } from '../../core/content/event-content.ts'
import { termsOfContent } from '../../core/content/follows.ts'
import { RaffleError } from '../../core/errors.ts'
import { locked } from '../../core/event/event-locks.ts'
import { type Event, mustLockEvent } from '../event/events.ts'
import { setTerms } from '../event/set-terms.ts'
import { hasEnded, newestMoment } from '../event/update.ts'
import type { Db } from '../index.ts'
import { addContent, contentOfEvent, draftedContent, isSameContent } from './contents.ts'
import { dropContradicted } from './draft.ts'

/**
 * Changes what the open event raffles, and with it its winners and prizes. `revision` is the event that the administrator
 * saw. Throws VERSION_CONFLICT, and EVENT_LOCKED from the first ticket or the sale end on; nothing is changed then.
 */
export async function changeContent(
  db: Db,
  content: EventContent,
  { savedBy, revision }: { savedBy: string; revision: number },
): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (revision !== event.revision)
      throw new RaffleError(
        'VERSION_CONFLICT',
        'Somebody else has changed this event or opened the next one. Reload and try again.',
      )
    if (await isContentLocked(tx, event))
      throw locked(
        'content',
        '이벤트 내용은 첫 티켓이 판매되거나 약속이 블록체인에 기록된 때, 또는 판매가 끝난 때부터 잠깁니다. 정정만 덧붙일 수 있습니다.',
      )
    const before = await contentOfEvent(tx, event.number)
    if (before && isSameContent(before.content, content)) return event
    const { id, contentSha256 } = await addContent(tx, { eventNumber: event.number, content, savedBy })
    await dropContradicted(tx, (await draftedContent(tx))?.content ?? content)
    return setTerms(tx, event, { contentId: id, contentSha256, ...termsOfContent(content) })
  })
}

/** Only corrections are taken. */
export const isContentLocked = async (db: Db, event: Event): Promise<boolean> =>
  event.archivedAt !== null || hasEnded(event, await newestMoment(db)) || event.lockedAt !== null
