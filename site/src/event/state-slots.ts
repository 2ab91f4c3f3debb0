import type { EventState } from '../../../core/content/event-content.ts'
import { usdt } from '../../../core/money.ts'
import { dateParts, formatDate } from '../shell/dates.ts'
import { count, fill, plural, t } from '../texts/index.ts'

/** What a visitor comes for now: to buy, to wait for the draw, to see its result, or the refund. */
export type Stage = 'selling' | 'waiting' | 'drawn' | 'refund'

/** What of an event changes while its pages are open. Prices in hundredths of a USDT. */
export type KnownNow = {
  eventNumber?: number | undefined
  drawDate?: string | null | undefined
  saleEnd?: string | null | undefined
  minTickets?: number | undefined
  isRefund?: boolean | undefined
  ticketPrice?: number | undefined
  ticketsSold?: number | undefined
  salesPaused?: boolean | undefined
  stage?: Stage | undefined
}

export const exampleTickets = 33

/** The marked places that follow an event, served and live; what is not known stays as it is. */
export function stateSlots(event: KnownNow): Record<string, string> {
  const { eventNumber, drawDate, saleEnd, minTickets, isRefund, ticketPrice, ticketsSold, stage } = event
  return {
    ...(eventNumber !== undefined && { 'event-number': `${eventNumber}` }),
    ...(drawDate !== undefined && { 'draw-date': formatDate(drawDate), ...datesOf('draw', drawDate) }),
    ...(saleEnd !== undefined && {
      ...datesOf('end', saleEnd),
      'sale-note': saleNote(saleEnd, event),
    }),
    ...(minTickets !== undefined && { 'min-tickets': count(minTickets) }),
    ...(isRefund !== undefined && {
      'winner-title': isRefund ? t.facts.refundTitle : t.facts.winnerTitle,
    }),
    ...(ticketPrice !== undefined && {
      'ticket-price': usdt(ticketPrice),
      'example-paid': usdt(ticketPrice * exampleTickets),
      'example-bought': plural(t.tickets, exampleTickets),
    }),
    ...(ticketsSold !== undefined && { 'tickets-sold': count(ticketsSold) }),
    // The gold ticket counts the next one, and once nothing is sold, all of them.
    ...(stage && { 'stub-name': stage === 'selling' ? t.facts.nextTicket : t.facts.sold }),
    ...(stage &&
      ticketsSold !== undefined && {
        'stub-number': stage === 'selling' ? `#${ticketsSold + 1}` : count(ticketsSold),
      }),
  }
}

function saleNote(saleEnd: string | null, { stage = 'selling', salesPaused }: KnownNow): string {
  if (stage !== 'selling') return t.facts.saleOver
  if (salesPaused) return t.facts.salePaused
  return saleEnd ? fill(t.facts.saleEnds, { date: formatDate(saleEnd) }) : t.facts.saleOpen
}

/** "September 30, 2025" and "12:00 PM UTC"; "Not Set" and an empty line without a date. */
function datesOf(name: 'draw' | 'end', value: string | null): Record<string, string> {
  const parts = dateParts(value)
  return typeof parts === 'string'
    ? { [`${name}-day`]: parts, [`${name}-time`]: '' }
    : { [`${name}-day`]: parts.day, [`${name}-time`]: fill(t.date.time, { time: parts.time }) }
}

export const stages: Readonly<Record<EventState, Stage>> = {
  ...{ soon: 'selling', 'on-sale': 'selling', 'sale-over': 'waiting', drawn: 'drawn' },
  ...{ refunding: 'refund', refunded: 'refund', 'archived-undrawn': 'waiting' },
}
