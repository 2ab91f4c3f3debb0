import type { EventPage } from '../../../core/content/event-content.ts'
import { usdt } from '../../../core/money.ts'
import { dateParts, formatDate } from '../shell/dates.ts'
import { count, fill } from '../texts/fill.ts'
import { type Lang, t } from '../texts/index.ts'
import { spoken } from '../texts/speak.ts'

/**
 * Values of `data-fact` that are right when a page is published and move rarely; the page's script has the others, and these
 * again. Only where pages are published: it has the texts of both languages.
 */
export const publishedFacts = (page: EventPage, language: Lang): Record<string, string> =>
  spoken(language, () => factsOf(page))

function factsOf(page: EventPage): Record<string, string> {
  const { eventNumber, drawDate, saleEnd, minTickets, ticketPrice, state } = page
  const isRefund = state === 'refunding' || state === 'refunded'
  return {
    eventNumber: `${eventNumber}`,
    drawDate: formatDate(drawDate),
    ...datesOf('draw', drawDate),
    ...datesOf('end', saleEnd),
    saleNote: saleEnd ? fill(t.facts.saleEnds, { date: formatDate(saleEnd) }) : t.facts.saleOpen,
    winnerTitle: isRefund ? t.facts.refundTitle : t.facts.winnerTitle,
    minTickets: count(minTickets),
    ticketPrice: usdt(ticketPrice),
  }
}

function datesOf(name: 'draw' | 'end', value: string | null): Record<string, string> {
  const parts = dateParts(value)
  return typeof parts === 'string'
    ? { [`${name}Day`]: parts, [`${name}Time`]: '' }
    : { [`${name}Day`]: parts.day, [`${name}Time`]: fill(t.date.time, parts) }
}
