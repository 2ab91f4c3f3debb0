import type { EventPage } from '../../../core/content/event-content.ts'
import { shorten, usdt } from '../../../core/money.ts'
import { fill } from '../texts/fill.ts'
import type { Lang } from '../texts/index.ts'
import { jsonText, plain } from './markup.ts'
import { type Slots, type Told, wordsIn } from './slots.ts'

/** `home` is the page of the event that runs. */
export type PageKind = 'home' | 'event'

type Head = {
  kind: PageKind
  language: Lang
  /** The public address, which other sites need; undefined where it is not known. */
  siteUrl?: string | undefined
  /** Path of the picture for shared links. */
  sharePath?: string | undefined
}

export const pathOf = (kind: PageKind, eventNumber: number, language: Lang): string =>
  `${language === 'ko' ? '/ko' : ''}${kind === 'home' ? '/' : `/e/${eventNumber}/`}`

/** What search engines, tabs and shared links read of an event: texts alone, no elements. */
export function headSlots(
  told: Told & Partial<EventPage>,
  { kind, language, siteUrl, sharePath }: Head,
): Slots {
  const { content, eventNumber } = told
  const words = wordsIn(language)
  const named = content ? oneLine(content.title[language]) : words.untitled
  const title =
    kind === 'home' ? `Blockdraw: ${named}` : fill(words.titleOf, { title: named, event: `${eventNumber}` })
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

/** The event as search engines read it (schema.org): data that no browser runs. */
export function jsonLd(page: EventPage, { kind, language, siteUrl, sharePath }: Head): Slots {
  const { content, eventNumber, state, saleStart, saleEnd, drawDate, ticketPrice } = page
  const whole = (path: string) => (siteUrl ? new URL(path, siteUrl).href : path)
  const url = whole(pathOf(kind, eventNumber, language))
  const words = wordsIn(language)
  const isOver = !['soon', 'on-sale', 'sale-over'].includes(state)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: content
      ? `${fill(words.title, { event: `${eventNumber}` })}: ${oneLine(content.title[language])}`
      : fill(words.title, { event: `${eventNumber}` }),
    description: content ? oneLine(content.summary[language]) : undefined,
    inLanguage: language,
    url,
    image: sharePath ? [whole(sharePath)] : undefined,
    startDate: drawDate ?? saleStart,
    eventStatus: `https://schema.org/${isOver && state !== 'drawn' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url },
    organizer: { '@type': 'Organization', name: 'Blockdraw', url: whole('/') },
    offers: {
      '@type': 'Offer',
      price: usdt(ticketPrice).replaceAll(',', ''),
      priceCurrency: 'USDT',
      availability: `https://schema.org/${state === 'on-sale' ? 'InStock' : state === 'soon' ? 'PreOrder' : 'SoldOut'}`,
      validFrom: saleStart,
      validThrough: saleEnd ?? undefined,
      url: whole(language === 'ko' ? '/ko/#buy' : '/#buy'),
    },
  }
  return { 'json-ld': { markup: jsonText(data) } }
}

const oneLine = (text: string): string =>
  plain(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
