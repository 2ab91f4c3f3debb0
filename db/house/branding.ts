import { RaffleError } from '../../core/errors.ts'
import { asBuilt, type Branding, type PublicBranding, themeName } from '../../core/house/branding.ts'
import { bumpVersion } from '../event/terms.ts'
import { type Db, versionOf } from '../index.ts'
import { settings } from '../schema/index.ts'

export async function getBranding(db: Db, lock = false): Promise<Branding> {
  const found = db.select({ branding: settings.branding }).from(settings)
  const [row] = await (lock ? found.for('update') : found)
  return { ...asBuilt, ...row?.branding }
}

export async function loadPublicBranding(db: Db): Promise<PublicBranding> {
  const branding = await getBranding(db)
  return { ...branding, theme: branding.accent && themeName(branding.accent) }
}

export const brandingVersion = (branding: Branding): string =>
  versionOf({ ...branding, logo: branding.logo?.key })

/** Changes the branding; what is left out stays. Throws VERSION_CONFLICT if `version` is not that of the newest any more. */
export async function updateBranding(tx: Db, patch: Partial<Branding>, version: string | undefined) {
  const before = await getBranding(tx, true)
  if (version !== undefined && version !== brandingVersion(before)) throw new RaffleError('VERSION_CONFLICT')
  const after = { ...before, ...patch }
  await tx.update(settings).set({ branding: after })
  await bumpVersion(tx)
  return { before, after }
}
