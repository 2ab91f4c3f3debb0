import { fill, plural, t } from '../texts/index.ts'

const day = { year: 'numeric', month: 'long', day: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hour12: true } as const
const utc = { timeZone: 'UTC' } as const

/** "September 30, 2025 at 12:00 PM UTC"; "Not Set" without a value, "Invalid Date" for an invalid one. */
export function formatDate(value: string | null | undefined): string {
  const parts = dateParts(value)
  return typeof parts === 'string' ? parts : fill(t.date.whole, parts)
}

/** Day and time in UTC, or "Not Set" or "Invalid Date" instead. */
export function dateParts(value: string | null | undefined): { day: string; time: string } | string {
  if (!value) return t.none.notSet
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return t.none.invalidDate
  return { day: format({ ...day, ...utc }, date), time: format({ ...time, ...utc }, date) }
}

/** "Oct 1, 09:00 PM your time"; empty where the visitor's time zone is UTC, or without a date. */
export function localTime(value: string | null | undefined): string {
  const date = new Date(value ?? Number.NaN)
  if (Number.isNaN(date.getTime()) || date.getTimezoneOffset() === 0) return ''
  return fill(t.date.local, { time: format({ month: 'short', day: 'numeric', ...time }, date) })
}

/** "just now", "5 minutes ago"; both times in milliseconds. A time in the future reads as now. */
export function formatAgo(then: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - then) / 1000))
  if (seconds < 5) return t.ago.now
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const) {
    const count = Math.floor(seconds / size)
    if (count > 0) return plural(t.ago[unit], count)
  }
  return t.ago.now
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Each formatter is created once: on a slow phone that takes longer than everything else here. */
function format(options: Intl.DateTimeFormatOptions, date: Date): string {
  const kind = [t.locale, ...Object.entries(options)].join()
  const made = formats.get(kind) ?? new Intl.DateTimeFormat(t.locale, options)
  formats.set(kind, made)
  return made.format(date)
}
