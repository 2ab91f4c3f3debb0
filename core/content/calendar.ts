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
 * An iCalendar file (RFC 5545). The same facts make the same bytes, and a moved date moves the entry, as its id stays. `name` is
 * the site's, `site` its origin, `host` names the ids.
 */
export function eventCalendar(
  facts: CalendarFacts,
  language: keyof Both,
  { name, host, site }: { name: string; host: string; site?: string | undefined },
): string {
  const { eventNumber, title, saleEnd, drawDate, changes, changedAt, saleStart, isCancelled } = facts
  const modified = stamp(changedAt ?? saleStart)
  const url = site && `${site}${language === 'ko' ? '/ko' : ''}/e/${eventNumber}/`
  const about = [title?.[language].replaceAll('\n', ' '), url].filter(Boolean).join('\n')
  const entry = (kind: 'sale' | 'draw', date: Date): string[] => {
    const summary = escaped(
      texts[kind][language].replace('{name}', () => name).replace('{event}', `${eventNumber}`),
    )
    return [
      'BEGIN:VEVENT',
      `UID:event-${eventNumber}-${kind}@${host}`,
      `DTSTAMP:${modified}`,
      `LAST-MODIFIED:${modified}`,
      `SEQUENCE:${changes}`,
      `DTSTART:${stamp(date)}`,
      `DTEND:${stamp(new Date(date.getTime() + 15 * 60_000))}`,
      ...(isCancelled ? ['STATUS:CANCELLED'] : []),
      `SUMMARY:${summary}`,
      `DESCRIPTION:${escaped(about)}`,
      ...(url ? [`URL:${url}`] : []),
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT15M',
      `DESCRIPTION:${summary}`,
      'END:VALARM',
      'END:VEVENT',
    ]
  }
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Blockdraw//Draw//EN',
    ...(saleEnd ? entry('sale', saleEnd) : []),
    ...entry('draw', drawDate),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
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
