import { sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'

/** True from a restore, or another book of the first wallet, until somebody compared it with the chain (`bun run admin after-restore`). */
export async function isShut(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ shut: boolean }>(sql`select shut_since is not null as shut from house`)
  return row?.shut ?? false
}

/** Throws HOUSE_SHUT after a restore: sale, dates, freeze, draw, endings and refunds could contradict what was promised since the backup. */
export async function expectOpenHouse(db: Db): Promise<void> {
  if (await isShut(db)) throw new RaffleError('HOUSE_SHUT')
}

/** Ends it; the caller has compared. */
export async function openHouse(tx: Db): Promise<void> {
  await tx.execute(sql`update house set shut_since = null, version = version + 1`)
}
