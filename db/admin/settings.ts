import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { settings } from '../schema/index.ts'

export type SecuritySettings = { requireOtp: boolean; allowedIps: string[] }

export async function getSettings(db: Db): Promise<SecuritySettings> {
  const [row] = await db
    .select({ requireOtp: settings.requireOtp, allowedIps: settings.allowedIps })
    .from(settings)
  return row ?? { requireOtp: false, allowedIps: [] }
}

/** As getSettings, and locks them until this transaction ends. */
export async function lockSettings(tx: Db): Promise<SecuritySettings> {
  await tx.execute(sql`select 1 from ${settings} for update`)
  return getSettings(tx)
}

/** A hash of the settings: a form that was filled with other ones is refused. */
export const settingsVersion = ({ requireOtp, allowedIps }: SecuritySettings): string =>
  createHash('sha256')
    .update(JSON.stringify([requireOtp, allowedIps]))
    .digest('hex')
    .slice(0, 16)

export async function saveSettings(tx: Db, changed: Partial<SecuritySettings>): Promise<void> {
  await tx.update(settings).set(changed)
}
