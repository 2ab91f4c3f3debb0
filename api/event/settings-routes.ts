import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import { getEventSettings, updateEventSettings } from '../../db/event/settings.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Decoded } from '../http/schema.ts'
import { isHttpsUrl, notHttps } from '../http/values.ts'
import { isOwnImage } from '../upload/url.ts'
import { eventSettings, settingsBody } from './schema.ts'

/** Content of the Next Event section. */
export const prizeRoutes = (guard: AdminGuard, ownOrigins: readonly string[]) =>
  new Elysia({ prefix: '/api/admin/event' })
    .get(
      '/settings',
      ...guard.read({ about: 'What the Next Event section tells', answer: eventSettings }, ({ db }) =>
        getEventSettings(db),
      ),
    )
    .post(
      '/settings',
      ...guard.action(
        'event.settings',
        {
          about: 'Changes it; an empty field is left alone, null clears it',
          body: settingsBody,
          answer: eventSettings,
          refusals: ['NO_CHANGES', 'VERSION_CONFLICT'],
          values: ({ body, request }) => expectGood(body, [...ownOrigins, new URL(request.url).origin]),
        },
        async ({ db, body: { version: seen, ...patch }, record }) => {
          const { before, after } = await updateEventSettings(db, patch, seen)
          record({ before, after })
          return after
        },
      ),
    )

/** At least one text or date is given, and an image is one of ours or has an https URL. */
function expectGood(body: Decoded<typeof settingsBody>, ownOrigins: readonly string[]): void {
  const { isActive, version, ...texts } = body
  if (Object.values(texts).every((value) => value === undefined))
    throw new RaffleError('NO_CHANGES', '최소 하나의 설정을 변경해주세요')
  const { prizeImageUrl: image } = texts
  if (!image || isOwnImage(image, ownOrigins) || isHttpsUrl(image)) return
  const field = 'prizeImageUrl'
  throw new RaffleError('INVALID_URL', notHttps.replace('{name}', field), {}, { field })
}
