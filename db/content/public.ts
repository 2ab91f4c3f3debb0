import { promisedText } from '../../core/content/promised.ts'
import type { PublicContent } from '../../core/content/public-content.ts'
import { getEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import { contentOfEvent } from './contents.ts'
import { correctionsOf } from './corrections.ts'

/** The content of an event as anybody may check it; undefined for an event that does not exist. */
export async function loadContent(db: Db, eventNumber: number): Promise<PublicContent | undefined> {
  const event = await getEvent(db, eventNumber)
  if (!event) return undefined
  const content = (await contentOfEvent(db, eventNumber))?.content ?? null
  return {
    eventNumber,
    content,
    contentSha256: event.contentSha256,
    promised: content && promisedText(content),
    corrections: await correctionsOf(db, eventNumber),
  }
}
