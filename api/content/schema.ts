import { Type as t } from '@sinclair/typebox'
import { type ContentForm, readContent } from '../../core/content/read-content.ts'
import { exact, invalid, read } from '../http/schema.ts'
import { whole as number, oneOf } from '../http/values.ts'

/** Read by core alone, whose refusals name the inner field: here it is only described. */
const content = read(
  t.Unsafe<ContentForm>(t.Any({ $ref: '#/components/schemas/ContentForm', ...invalid })),
  (value) => readContent(value),
)

/** A content of 20 prizes with long texts in both languages. */
export const contentBytes = 262_144
const version = number(1, 2_147_483_647)
export const contentBody = exact({ content, version })

export const calendarQuery = t.Object({ lang: oneOf(['en', 'ko'] as const) })
