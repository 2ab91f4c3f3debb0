import type { Language } from '../../../../core/admin/language.ts'
import { usdt as exactUsdt } from '../../../../core/money.ts'
import { language, t } from '../language/t.ts'

/** "2025-09-30 12:00" in UTC; seconds only if they are not zero. Empty without a moment. */
export function toField(iso: string | null | undefined): string {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return ''
  const text = date.toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, date.getUTCSeconds() ? 19 : 16)}`
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

export const toApi = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** Moments in words: in Korean by the clock of Korea, in English in UTC, saying so; `local`: the zone beside it, else the browser's. @internal */
export function datesIn(language: Language, local?: string) {
  const isEnglish = language === 'en'
  const locale = isEnglish ? 'en-US' : 'ko-KR'
  const zone = { timeZone: isEnglish ? 'UTC' : 'Asia/Seoul' } as const
  const day = { month: isEnglish ? 'short' : 'long', day: 'numeric' } as const
  const time: Intl.DateTimeFormatOptions = {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zone },
    ...(isEnglish && { timeZoneName: 'short' }),
  }
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(locale, options)
    return (date: Date | string): string => format(new Date(date))
  }
  const inWords = writer({ year: 'numeric', ...day, ...time })
  const inShortWords = writer({ ...day, ...time })
  const inLocalTime = (weekday?: 'short') =>
    writer({
      ...{ weekday, ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      ...(local && { timeZone: local }),
    })
  return {
    /** "2025년 9월 30일 21:00", "Sep 30, 2025, 12:00 UTC". */
    inWords,
    /** "9월 30일 21:00", "Sep 30, 12:00 UTC". */
    inShortWords,
    /** What is said beside a moment in UTC: its time in Korea, or in English where the reader is, "Tue, Sep 30, 14:00". */
    besideUtc: isEnglish ? inLocalTime('short') : inWords,
    besideUtcShort: isEnglish ? inLocalTime() : inShortWords,
  }
}

export const { inWords, inShortWords, besideUtc, besideUtcShort } = datesIn(language)

/** "5분 전"; a moment in the future, by a slow clock, reads as now. */
export function agoText(seconds: number): string {
  if (seconds < 5) return t('방금')
  if (seconds < 60) return t('{n}초 전', { n: Math.floor(seconds) })
  if (seconds < 3_600) return t('{n}분 전', { n: Math.floor(seconds / 60) })
  if (seconds < 86_400) return t('{n}시간 전', { n: Math.floor(seconds / 3_600) })
  return t('{n}일 전', { n: Math.floor(seconds / 86_400) })
}

/** "2시간 5분": a duration. */
export function spanText(seconds: number): string {
  if (seconds < 60) return t('{n}초', { n: Math.max(0, Math.floor(seconds)) })
  if (seconds < 3_600) return t('{n}분', { n: Math.floor(seconds / 60) })
  if (seconds % 3_600 === 0 || seconds >= 86_400) return t('{n}시간', { n: Math.floor(seconds / 3_600) })
  return t('{hours}시간 {minutes}분', {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor((seconds % 3_600) / 60),
  })
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** Hundredths of a USDT with thousands separated: 385200 -> "3,852". */
export const usdt = (cents: number): string => exactUsdt(Math.round(cents))

/** As `usdt`, always with two decimals, so that decimal points line up in a column. */
export function usdtColumn(cents: number): string {
  const text = usdt(cents)
  return text.includes('.') ? text : `${text}.00`
}

/** An address or hash in groups of four, for comparing by eye; `0x` stays with the first. */
export function groupsOfFour(text: string): string[] {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  const groups = digits.match(/.{1,4}/g) ?? []
  return text.startsWith('0x') ? [`0x${groups[0] ?? ''}`, ...groups.slice(1)] : groups
}
