import { Type as t } from '@sinclair/typebox'
import { exact } from '../http/schema.ts'
import { eventNumber, whole } from '../http/values.ts'

export const workbook = {
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  about: 'The workbook.',
}
/** The event of the list; the open one if none is given. */
export const eventBody = exact({ eventNumber: t.Optional(whole(1, 2 ** 31 - 1)) })
export const eventInPath = t.Object({ id: eventNumber('해당 이벤트가 없습니다.') })
