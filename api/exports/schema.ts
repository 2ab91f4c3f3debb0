import { Type as t } from '@sinclair/typebox'
import { languages } from '../../core/admin/language.ts'
import { exact, read, refusal, refuse } from '../http/schema.ts'
import { eventNumber, oneOf, whole } from '../http/values.ts'

export const workbook = {
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  about: 'The workbook.',
}
export const journal = { type: 'text/csv; charset=utf-8', about: 'The journal, as CSV (RFC 4180).' }
const day = () =>
  read(t.String(refusal('INVALID_VALUE', '{name}: YYYY-MM-DD 형식의 날짜여야 합니다.')), (value) =>
    isDay(value) ? value : refuse(),
  )
const isDay = (value: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
/** UTC days, both of them in it. */
export const inPeriod = t.Object({ from: day(), to: day(), lang: oneOf(languages) })
/** Of headers, words and the file's name; the public ticket list has both languages in it, and only its name differs. */
export const inLanguage = t.Object({ lang: oneOf(languages) })
/** The event of the list; the open one if none is given. */
export const eventBody = exact({ eventNumber: t.Optional(whole(1, 2 ** 31 - 1)) })
export const eventInPath = t.Object({ id: eventNumber('해당 이벤트가 없습니다.') })
