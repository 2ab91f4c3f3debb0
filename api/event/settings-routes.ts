import { Elysia } from 'elysia'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { getEventSettings, updateEventSettings } from '../../db/report/public.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import type { Decoded } from '../http/schema.ts'
import { ownImageKey } from '../upload/schema.ts'
import { openStorage, type Storage } from '../upload/storage.ts'
import { eventSettings, settingsBody } from './schema.ts'

/** Content of the Next Event section. */
export const eventSettingsRoutes = (
  { admin, allowedOrigins }: Pick<Deps, 'admin' | 'allowedOrigins'>,
  guard: AdminGuard,
) => {
  const storage = openStorage(admin.storageUrl)
  const origins = ownOrigins(admin.publicApiUrl, allowedOrigins)
  return new Elysia({ prefix: '/api/admin/event' })
    .get(
      '/settings',
      ...guard.read({
        about: 'What the Next Event section tells',
        answer: eventSettings,
        run: ({ db }) => getEventSettings(db),
      }),
    )
    .post(
      '/settings',
      ...guard.action({
        action: 'event.settings',
        about: 'Changes it; an empty field is left alone, null clears it',
        body: settingsBody,
        answer: eventSettings,
        refusals: ['NO_CHANGES', 'VERSION_CONFLICT'],
        values: async ({ db, body, request }) => {
          expectNews(body)
          refuseOtherAddress(body, (await getOpenEvent(db))?.operatorWallet)
          if (body.prizeImageUrl) await expectOwnImage(body.prizeImageUrl, storage, origins(request))
        },
        run: async ({ db, body: { version: seen, ...patch }, record }) => {
          const { before, after } = await updateEventSettings(db, patch, seen)
          record({ before, after })
          return after
        },
      }),
    )
}

/** At least one text or date is given. */
function expectNews(body: Decoded<typeof settingsBody>): void {
  const { isActive, version, ...texts } = body
  if (Object.values(texts).every((value) => value === undefined))
    throw new RaffleError('NO_CHANGES', { reason: 'none' })
}

/**
 * Throws INVALID_URL for any picture that was not uploaded here, or whose upload was never finished: visitors' browsers
 * must ask nobody else for it, and find it.
 */
async function expectOwnImage(url: string, storage: Storage, origins: readonly string[]): Promise<void> {
  const key = ownImageKey(url, origins)
  if (key && (await storage.open(key))) return
  throw new RaffleError('INVALID_URL', { reason: key ? 'unfinished' : 'image', field: 'prizeImageUrl' })
}

/**
 * Origins under which an image of ours may be given by its full URL: those of the settings; without any, or on this
 * machine itself, the one that the call was sent to.
 */
function ownOrigins(publicApiUrl: string | undefined, allowedOrigins: readonly string[]) {
  const known = [...allowedOrigins, ...(publicApiUrl ? [publicApiUrl.replace(/\/$/, '')] : [])]
  return (request: Request): string[] => {
    const { origin, hostname } = new URL(request.url)
    const isTaken = known.length === 0 || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    return isTaken ? [...known, origin, origin.replace(/^http:/, 'https:')] : known
  }
}
