import type { EventContent } from './event-content.ts'
import first from './first-event.json'
import { canonicalJson } from './promised.ts'

/** What the first event of a new installation raffles (docs/spec.md). */
export const firstEventContent = first as EventContent

/** True where nobody has written another one yet. */
export const isFirstContent = (content: EventContent): boolean =>
  canonicalJson(content) === canonicalJson(firstEventContent)
