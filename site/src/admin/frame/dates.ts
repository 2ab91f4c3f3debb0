const pad = (n: number) => String(n).padStart(2, '0')

/** "2025-09-30 12:00" in UTC; seconds only if they are not zero. Empty without a moment. */
export function toField(iso: string | null | undefined): string {
  if (!iso) return ''
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const seconds = date.getUTCSeconds()
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${seconds ? `:${pad(seconds)}` : ''}`
}

/** As `toField`, always with seconds: for records. */
export function toStamp(iso: string): string {
  const text = toField(iso)
  return text.length === 16 ? `${text}:00` : text
}

/** The moment in a text such as "2025-09-30 12:00", read as UTC; undefined if it is not a date. */
export function fromField(text: string): Date | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*Z?$/i.exec(text.trim())
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] =
    match?.slice(1).map((part) => Number(part ?? 0)) ?? []
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return match && exists && hours < 24 && minutes < 60 && seconds < 60 && year >= 2020 ? date : undefined
}

/** As the API takes it, with seconds even if the field has none. */
export const toApi = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

const korean = new Intl.DateTimeFormat('ko-KR', {
  timeZone: 'Asia/Seoul',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const koreanShort = new Intl.DateTimeFormat('ko-KR', {
  timeZone: 'Asia/Seoul',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "2025년 9월 30일 21:00", in Korea. */
export const inKorea = (date: Date | string): string => korean.format(new Date(date))
/** "9월 30일 21:00", in Korea. */
export const inKoreaShort = (date: Date | string): string => koreanShort.format(new Date(date))

const koreanTime = new Intl.DateTimeFormat('ko-KR', {
  timeZone: 'Asia/Seoul',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "21:00" within a day, else "9월 30일 21:00", in Korea; both in milliseconds. */
export const untilText = (end: number, now: number): string =>
  end - now < 86_400_000 ? koreanTime.format(end) : koreanShort.format(end)

/** "5분 전"; a moment in the future, by a slow clock, reads as now. */
export function agoText(seconds: number): string {
  if (seconds < 5) return '방금'
  if (seconds < 60) return `${Math.floor(seconds)}초 전`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}분 전`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}시간 전`
  return `${Math.floor(seconds / 86_400)}일 전`
}

/** "2시간 5분": a duration. */
export function spanText(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))}초`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}분`
  if (seconds % 3_600 === 0 || seconds >= 86_400) return `${Math.floor(seconds / 3_600)}시간`
  return `${Math.floor(seconds / 3_600)}시간 ${Math.floor((seconds % 3_600) / 60)}분`
}
