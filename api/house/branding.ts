import { Elysia } from 'elysia'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Branding } from '../../core/house/branding.ts'
import { brandingVersion, getBranding, updateBranding } from '../../db/house/branding.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { measure } from '../upload/image.ts'
import { openStorage } from '../upload/storage.ts'
import { branding, brandingBody } from './schema.ts'

/** Name, logo, accent colour and links of the site. */
export const brandingRoutes = ({ admin }: Pick<Deps, 'admin'>, guard: AdminGuard) => {
  const storage = openStorage(admin.storageUrl)

  /** A logo with its size. Throws INVALID_VALUE for a key that is not stored. */
  async function logoOf(key: string): Promise<Branding['logo']> {
    const found = await measure(key, storage)
    if (!found) throw new RaffleError('INVALID_VALUE', { reason: 'unfinished', field: 'logo' })
    return { key, width: found.width, height: found.height }
  }

  return new Elysia({ prefix: '/api/admin/branding' })
    .get(
      '',
      ...guard.read({
        about: 'Name, logo, colour and links of the site',
        answer: branding,
        run: async ({ db }) => described(await getBranding(db)),
      }),
    )
    .patch(
      '',
      ...guard.action({
        action: 'house.branding',
        about: 'Changes them at once; null is what the page was built with',
        body: brandingBody,
        answer: branding,
        refusals: ['NO_CHANGES', 'VERSION_CONFLICT', 'BUSY'],
        values: async ({ body }) => {
          // It outlives every event's wallet.
          refuseOtherAddress(body, null)
          if (body.logo) await logoOf(body.logo)
        },
        run: async ({ db, body: { version, logo: key, ...patch }, record }) => {
          const logo = key && (await logoOf(key))
          const changed = { ...patch, ...(logo !== undefined && { logo: logo || null }) }
          const { before, after } = await updateBranding(db, changed, version)
          record({ before: recorded(before), after: recorded(after) })
          return described(after)
        },
      }),
    )
}

const described = (saved: Branding) => ({ ...saved, version: brandingVersion(saved) })

/** The picture by its name. */
const recorded = (saved: Branding) => ({ ...saved, logo: saved.logo?.key ?? null })
