export type CalendarEntry = {
  /** The same for the same thing, for ever. */
  id: string
  start: string
  title: string
  text: string
  url?: string | undefined
  /** How often it was changed, and when last. */
  sequence?: number
  modified?: Date
  isCancelled?: boolean
}

/** An iCalendar file (RFC 5545): each entry takes 15 minutes, with a reminder 15 minutes before it. */
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
