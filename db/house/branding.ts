import { createHash } from 'node:crypto'
import { RaffleError } from '../../core/errors.ts'
import { asBuilt, type Branding, type PublicBranding, themeName } from '../../core/house/branding.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
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

/** A hash of the values: a form that was filled with other ones is refused. */
export const brandingVersion = (branding: Branding): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...branding, logo: branding.logo?.key }))
    .digest('hex')
    .slice(0, 16)

/** Changes the branding; what is left out stays. Throws VERSION_CONFLICT if `version` is not that of the newest any more. */
export async function updateBranding(tx: Db, patch: Partial<Branding>, version: string | undefined) {
  const before = await getBranding(tx, true)
  if (version !== undefined && version !== brandingVersion(before)) throw new RaffleError('VERSION_CONFLICT')
  const after = { ...before, ...patch }
  await tx.update(settings).set({ branding: after })
  await bumpVersion(tx)
  return { before, after }
}
