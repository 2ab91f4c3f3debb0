import { firstEventContent } from '../../../core/content/first-event.ts'
import { contentSha256 } from '../../../core/content/promised.ts'
import { site } from '../content/site.ts'
import type { Lang } from '../texts/index.ts'
import { contentSlots } from './content-slots.ts'
import { headSlots } from './head-slots.ts'
import type { Slots } from './slots.ts'

/** What a built page says by itself: the first event, which has no picture of its own. */
export function firstSlots(language: Lang, siteUrl: string | undefined): Slots {
  const told = { eventNumber: 1, content: firstEventContent, ticketPrice: 300 }
  return {
    ...contentSlots(told, language, { pictureUrl: () => '' }),
    ...headSlots(told, { kind: 'home', language, siteUrl }),
    'page-mark': `1,${contentSha256(firstEventContent)}`,
  }
}

/** What the page of an event says by itself: of no event anything but its number, which its script reads in its address. */
export const shellSlots: Slots = {
  'head-title': site.name,
  ...{ buy: '', check: '', calendar: '', prize: '', record: '' },
  ...{ 'proof-href': '', 'ledger-href': '', 'hero-lead': '' },
}
