import { Type as t } from '@sinclair/typebox'
import { languages } from '../../core/admin/language.ts'
import { exact } from '../http/schema.ts'
import { eventNumber, oneOf, whole } from '../http/values.ts'

export const workbook = {
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  about: 'The workbook.',
}
/** Of headers, words and the file's name; the public ticket list has both languages in it, and only its name differs. */
export const inLanguage = t.Object({ lang: oneOf(languages) })
/** Only payers who are owed something in this event; of all events if none is given. */
export const eventBody = exact({ eventNumber: t.Optional(whole(1, 2 ** 31 - 1)) })
export const eventInPath = t.Object({ id: eventNumber })
