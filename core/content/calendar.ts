import type { Both } from './event-content.ts'

export type CalendarFacts = {
  eventNumber: number
  title: Both | null
  saleStart: Date
  saleEnd: Date | null
  drawDate: Date
  /** How often dates, title or outcome changed, and when last; null for never. */
  changes: number
  changedAt: Date | null
  isCancelled: boolean
}

const texts = {
  draw: { en: '{name}: draw of event {event}', ko: '{name}: 이벤트 {event} 추첨' },
  sale: { en: '{name}: sales of event {event} end', ko: '{name}: 이벤트 {event} 판매 마감' },
} satisfies Record<string, Both>

/**
 * The same facts make the same bytes, and a moved date moves the entry, as its id stays. `name` is the site's, `site` its
 * origin, `host` names the ids.
 */
export function eventCalendar(
  facts: CalendarFacts,
  language: keyof Both,
  { name, host, site }: { name: string; host: string; site?: string | undefined },
): string {
  const { eventNumber, title, saleEnd, drawDate, changes, changedAt, saleStart, isCancelled } = facts
  const modified = changedAt ?? saleStart
  const url = site && `${site}${language === 'ko' ? '/ko' : ''}/e/${eventNumber}/`
  const entry = (kind: 'sale' | 'draw', date: Date) => ({
    id: `event-${eventNumber}-${kind}@${host}`,
    start: date.toISOString(),
    title: texts[kind][language].replace('{name}', () => name).replace('{event}', `${eventNumber}`),
    text: [title?.[language].replaceAll('\n', ' '), url].filter(Boolean).join('\n'),
    ...{ url, modified, sequence: changes, isCancelled },
  })
  return calendarFile([...(saleEnd ? [entry('sale', saleEnd)] : []), entry('draw', drawDate)], modified)
}

export type CalendarEntry = {
  /** The same for the same thing, for ever. */
  id: string
  start: string
  title: string
  text: string
  url?: string | undefined
  sequence?: number
  modified?: Date
  isCancelled?: boolean
}

/** An iCalendar file (RFC 5545): each entry takes 15 minutes, with a reminder 15 minutes before it. @internal */
export function calendarFile(entries: readonly CalendarEntry[], stamped: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Blockdraw//Draw//EN',
    ...entries.flatMap((entry) => linesOf(entry, stamped)),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}

function linesOf(entry: CalendarEntry, stamped: Date): string[] {
  const { id, start, title, text, url, sequence, modified, isCancelled = false } = entry
  const begin = new Date(start)
  return [
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${stamp(stamped)}`,
    ...(modified ? [`LAST-MODIFIED:${stamp(modified)}`] : []),
    ...(sequence === undefined ? [] : [`SEQUENCE:${sequence}`]),
    `DTSTART:${stamp(begin)}`,
    `DTEND:${stamp(new Date(begin.getTime() + 15 * 60_000))}`,
    ...(isCancelled ? ['STATUS:CANCELLED'] : []),
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    ...(url ? [`URL:${url}`] : []),
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    `DESCRIPTION:${escaped(title)}`,
    'END:VALARM',
    'END:VEVENT',
  ]
}

/** "20250930T120000Z" */
const stamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

/** A line holds at most 75 bytes; the next ones begin with a space. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let [out, bytes] = ['', 0]
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (bytes + size > 75) {
      out += '\r\n '
      bytes = 1
    }
    out += letter
    bytes += size
  }
  return out
}
