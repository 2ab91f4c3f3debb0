import type { EventPage } from '../../../core/content/event-content.ts'
import { firstEventContent } from '../../../core/content/first-event.ts'
import { contentSha256 } from '../../../core/content/promised.ts'
import { shorten, usdt } from '../../../core/money.ts'
import { site } from '../content/site.ts'
import { fill, type Lang } from '../texts/index.ts'
import { contentSlots } from './content-slots.ts'
import { plain, type Slots, type Told, wordsIn } from './slots.ts'

/** `home` is the page of the event that runs. */
export type PageKind = 'home' | 'event'

type Head = {
  kind: PageKind
  language: Lang
  /** The public address, which other sites need; undefined where it is not known. */
  siteUrl?: string | undefined
  sharePath?: string | undefined
  name?: string | null | undefined
}

export const pathOf = (kind: PageKind, eventNumber: number, language: Lang): string =>
  `${language === 'ko' ? '/ko' : ''}${kind === 'home' ? '/' : `/e/${eventNumber}/`}`

/** What search engines, tabs and shared links read of an event: texts alone, no elements. */
export function headSlots(
  told: Told & Partial<EventPage>,
  { kind, language, siteUrl, sharePath, name }: Head,
): Slots {
  const { content, eventNumber } = told
  const words = wordsIn(language)
  const named = content ? oneLine(content.title[language]) : words.untitled
  const title =
    kind === 'home'
      ? `${name ?? site.name}: ${named}`
      : fill(words.titleOf, { title: named, event: `${eventNumber}` })
  const whole = (path: string) => (siteUrl ? new URL(path, siteUrl).href : path)
  const summary = content
    ? oneLine(content.summary[language])
    : fill(words.summary, { event: `${eventNumber}` })
  return {
    'head-title': title,
    'head-description': summary,
    canonical: whole(pathOf(kind, eventNumber, language)),
    'alternate-en': whole(pathOf(kind, eventNumber, 'en')),
    'alternate-ko': whole(pathOf(kind, eventNumber, 'ko')),
    'share-alt': shareAlt(told, language),
    ...(sharePath !== undefined && { 'share-image': sharePath && whole(sharePath) }),
  }
}

function shareAlt(
  { content, eventNumber, ticketPrice, result }: Told & Partial<EventPage>,
  language: Lang,
): string {
  const words = wordsIn(language)
  const event = `${eventNumber}`
  const [winner] = result?.winners ?? []
  if (winner) return fill(words.cardDrawn, { event, wallet: shorten(winner.walletAddress, 6, 4) })
  const prize = content?.prizes[0]
  return fill(words.card, {
    event,
    prize: oneLine(prize?.name[language] ?? words.untitled),
    value: oneLine(prize?.value ?? ''),
    price: usdt(ticketPrice),
  })
}

const oneLine = (text: string): string =>
  plain(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

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
