import { fill } from '../texts/fill.ts'
import { t } from '../texts/index.ts'

/** Days, hours, minutes and seconds until `date`, two digits each; zeros when it is past or not set. */
export function countdown(
  date: string | null,
  now: number,
): Record<'days' | 'hours' | 'minutes' | 'seconds', string> {
  const end = date ? Date.parse(date) : Number.NaN
  const seconds = Number.isNaN(end) ? 0 : Math.max(0, Math.ceil((end - now) / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return {
    days: two(seconds / 86_400),
    hours: two((seconds / 3600) % 24),
    minutes: two((seconds / 60) % 60),
    seconds: two(seconds % 60),
  }
}

/** "11d 07:41:09" until `date`; "Not Set" without one, "Closed" after it. */
export function timeLeft(date: string | null, now: number): string {
  if (!date) return t.none.notSet
  if (Date.parse(date) <= now) return t.facts.closed
  const { days, hours, minutes, seconds } = countdown(date, now)
  return fill(t.facts.salesLeft, { days: Number(days), time: `${hours}:${minutes}:${seconds}` })
}
