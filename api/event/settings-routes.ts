import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { parseDate } from '../../core/event.ts'
import { type EventSettingsPatch, getEventSettings, updateEventSettings } from '../../db/event/settings.ts'
import type { AdminGuard } from '../auth/guard.ts'
import { type Fields, onlyFields, toBoolean, toText } from '../http/fields.ts'
import { toHttpsUrl } from '../http/url.ts'
import { isOwnImage } from '../upload/url.ts'

const texts = ['prizeImageUrl', 'prizeValue', 'prizeDescription', 'eventStartDate'] as const

/** What the Next Event section tells. An empty field is left alone; null clears it; `version` is the `updatedAt` seen. */
export const prizeRoutes = (guard: AdminGuard, ownOrigins: readonly string[]) =>
  new Elysia({ prefix: '/api/admin/event' })
    .get(
      '/settings',
      guard.read(({ db }) => getEventSettings(db)),
    )
    .post(
      '/settings',
      guard.action(
        'event.settings',
        { body: (fields, _, request) => settingsBody(fields, [...ownOrigins, new URL(request.url).origin]) },
        async ({ db, body, record }) => {
          const { seen, ...patch } = body
          const { before, after } = await updateEventSettings(db, patch, seen)
          record({ before, after })
          return after
        },
      ),
      { parse: 'none' },
    )

function settingsBody(
  fields: Fields,
  ownOrigins: readonly string[],
): EventSettingsPatch & { seen?: string | null } {
  onlyFields(fields, [...texts, 'isActive', 'version'])
  const given = Object.fromEntries(texts.map((name) => [name, blankIsNothing(fields[name])]))
  if (texts.every((name) => given[name] === undefined))
    throw new RaffleError('NO_CHANGES', '최소 하나의 설정을 변경해주세요')
  const read = <T>(name: (typeof texts)[number], to: (value: unknown) => T) =>
    given[name] === undefined || given[name] === null ? {} : { [name]: to(given[name]) }
  return {
    ...Object.fromEntries(texts.filter((name) => given[name] === null).map((name) => [name, null])),
    ...read('prizeImageUrl', (value) =>
      isOwnImage(value, ownOrigins) ? value : toHttpsUrl(value, 'prizeImageUrl'),
    ),
    ...read('prizeValue', (value) => toText(value, 'prizeValue', { max: 100 })),
    ...read('prizeDescription', (value) => toText(value, 'prizeDescription', { max: 5_000, lines: true })),
    ...read('eventStartDate', parseDate),
    ...(fields.isActive !== undefined && { isActive: toBoolean(fields.isActive, 'isActive') }),
    ...(fields.version !== undefined && { seen: toSeen(fields.version) }),
  }
}

/** `updatedAt` as the form was filled with it; null where nothing had been saved before. */
function toSeen(value: unknown): string | null {
  if (value === null) return null
  const text = toText(value, 'version', { max: 40 })
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text))
    throw new RaffleError('INVALID_VALUE', 'version: 올바른 값이 아닙니다.')
  return text
}

const blankIsNothing = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() === '' ? undefined : value
