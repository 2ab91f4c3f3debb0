import { calendarFile } from '../event/calendar-file.ts'
import type { Both } from './event-content.ts'

/** The dates of an event, and what became of them. */
export type CalendarFacts = {
  eventNumber: number
  title: Both | null
  saleStart: Date
  saleEnd: Date | null
  drawDate: Date
  /** How often dates, title or outcome changed, and when last; null for never. */
  changes: number
  changedAt: Date | null
  /** In refund mode nothing is drawn. */
  isCancelled: boolean
}

const texts = {
  draw: { en: 'Blockdraw: draw of event {event}', ko: 'Blockdraw: 이벤트 {event} 추첨' },
  sale: { en: 'Blockdraw: sales of event {event} end', ko: 'Blockdraw: 이벤트 {event} 판매 마감' },
} satisfies Record<string, Both>

/**
 * Sale end and draw of an event for a calendar that follows the address: the same facts make the same bytes, and a moved date
 * moves the entry, as its id stays. `site` is the origin of the site, `host` names the ids.
 */
export function eventCalendar(
  facts: CalendarFacts,
  language: keyof Both,
  { host, site }: { host: string; site?: string | undefined },
): string {
  const { eventNumber, title, saleEnd, drawDate, changes, changedAt, saleStart, isCancelled } = facts
  const modified = changedAt ?? saleStart
  const url = site && `${site}${language === 'ko' ? '/ko' : ''}/e/${eventNumber}/`
  const entry = (kind: 'sale' | 'draw', date: Date) => ({
    id: `event-${eventNumber}-${kind}@${host}`,
    start: date.toISOString(),
    title: texts[kind][language].replace('{event}', `${eventNumber}`),
    text: [title?.[language].replaceAll('\n', ' '), url].filter(Boolean).join('\n'),
    ...{ url, modified, sequence: changes, isCancelled },
  })
  return calendarFile([...(saleEnd ? [entry('sale', saleEnd)] : []), entry('draw', drawDate)], modified)
}
