import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'

/** The channel on which every commit that changes the public state is announced. */
export const versionChannel = 'public_version'

/** Last step of a transaction that changes what the public sees: its row lock puts versions in commit order. */
export async function bumpVersion(tx: Db): Promise<void> {
  await tx.execute(sql`update public_version set version = version + 1`)
}
