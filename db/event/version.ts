import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'

/** Channel notified by every commit that changes the public state. */
export const versionChannel = 'public_version'

/** Last step of a transaction that changes the public state: its row lock puts versions in commit order. */
export async function bumpVersion(tx: Db): Promise<void> {
  await tx.execute(sql`update public_version set version = version + 1`)
}
