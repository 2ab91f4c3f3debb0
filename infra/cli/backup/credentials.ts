import { isNull } from 'drizzle-orm'
import type postgres from 'postgres'
import { hashPassword, oneTimePassword } from '../../../core/server/password.ts'
import { connect } from '../../../db/index.ts'
import { admins, settings } from '../../../db/schema/index.ts'
import { runAdmin } from '../admin.ts'

/**
 * Part of the transaction that restores: no password, second factor, passkey or recovery code of the backup opens anything,
 * whatever comes after it.
 */
export async function voidCredentials(tx: postgres.TransactionSql): Promise<void> {
  const nobodys = await hashPassword(oneTimePassword())
  await tx`
    update admins set password_hash = ${nobodys}, otp_secret = null, otp_pending_secret = null,
      otp_pending_since = null, otp_confirmed_at = null, otp_last_step = 0`
  await tx`delete from recovery_codes`
  await tx`delete from passkeys`
}

/** A new one-time password for every administrator who was not removed, audited, as sentences to print. */
export async function handOutPasswords(databaseUrl: string): Promise<string[]> {
  const { db, close } = connect(databaseUrl, { max: 2, name: 'blockdraw restore' })
  try {
    const told: string[] = []
    const present = db.select({ username: admins.username }).from(admins).where(isNull(admins.disabledAt))
    for (const { username } of await present.orderBy(admins.id))
      told.push(await runAdmin(db, ['reset-password', username]))
    const [row] = await db.select({ allowedIps: settings.allowedIps }).from(settings)
    const list = row?.allowedIps.length ? row.allowedIps.join(', ') : 'every address'
    return [...told, `They may log in from: ${list}. The dashboard and \`admin allow-ip\` change that.`]
  } finally {
    await close()
  }
}
