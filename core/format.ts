/** First `head` and last `tail` characters around an ellipsis; short texts stay whole. */
export const shorten = (text: string, head: number, tail: number): string =>
  text.length <= head + tail ? text : `${text.slice(0, head)}…${tail > 0 ? text.slice(-tail) : ''}`

const dateFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
})
const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hour12: true,
})

/** "September 30, 2025 at 12:00 PM UTC"; "Not Set" without a value, "Invalid Date" for what is none. */
export function formatDate(value: string | null | undefined): string {
  if (!value) return 'Not Set'
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return 'Invalid Date'
  return `${dateFormat.format(date)} at ${timeFormat.format(date)} UTC`
}

/** "just now", "5 minutes ago"; both times in milliseconds. A clock that is behind reads as now. */
export function formatAgo(then: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - then) / 1000))
  if (seconds < 5) return 'just now'
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const) {
    const count = Math.floor(seconds / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
