import { sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { publicVersion } from '../schema/index.ts'

/** True from a restore until the database was compared with the chain (`bun run admin after-restore`). */
export async function isShut(db: Db): Promise<boolean> {
  const [row] = await db.select({ shutSince: publicVersion.shutSince }).from(publicVersion)
  return row?.shutSince != null
}

/** Throws HOUSE_SHUT after a restore: sale, dates, freeze, draw, endings and refunds could contradict what was promised since the backup. */
export async function expectOpenHouse(db: Db): Promise<void> {
  if (await isShut(db))
    throw new RaffleError(
      'HOUSE_SHUT',
      '데이터베이스가 복원된 뒤 아직 체인과 대조되지 않았습니다. 서버에서 bun run admin after-restore를 실행해주세요.',
    )
}

/** Ends it; the caller has compared. */
export async function openHouse(tx: Db): Promise<void> {
  await tx.update(publicVersion).set({ shutSince: null, version: sql`${publicVersion.version} + 1` })
}
