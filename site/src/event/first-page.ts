import { firstEventContent } from '../../../core/content/first-event.ts'
import { contentSha256 } from '../../../core/content/promised.ts'
import type { Lang } from '../texts/index.ts'
import { contentSlots } from './content-slots.ts'
import { headSlots } from './head-slots.ts'
import type { Slots } from './slots.ts'

/** What a page says that nobody has published yet: the first event, which has no picture of its own. */
export function firstSlots(language: Lang, siteUrl: string | undefined): Slots {
  const told = { eventNumber: 1, content: firstEventContent, ticketPrice: 300 }
  return {
    ...contentSlots(told, language, { pictureUrl: () => '' }),
    ...headSlots(told, { kind: 'home', language, siteUrl }),
    'event-content': contentSha256(firstEventContent),
  }
}
