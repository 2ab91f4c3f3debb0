import type { EventContent } from './event-content.ts'
import first from './first-event.json'
import { canonicalJson } from './promised.ts'

export const firstEventContent = first as EventContent

export const isFirstContent = (content: EventContent): boolean =>
  canonicalJson(content) === canonicalJson(firstEventContent)
