import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { Db } from '../index.ts'
import { scanCursor } from '../schema.ts'

export type ScanCursor = { height: bigint; hash: Hash; blockTime: Date }

/** Up to where the final chain has been folded; undefined before the first scan. */
export async function getScanCursor(db: Db): Promise<ScanCursor | undefined> {
  const [row] = await db.select().from(scanCursor)
  return row
}

/**
 * Moves the cursor on from `before`. False when another worker was quicker: the caller rolls back, so a
 * range is folded once however many workers scan.
 */
export async function advanceCursor(
  tx: Db,
  before: ScanCursor | undefined,
  after: ScanCursor,
): Promise<boolean> {
  const values = { ...after, updatedAt: sql`now()` }
  const rows = before
    ? await tx
        .update(scanCursor)
        .set(values)
        .where(sql`${scanCursor.height} = ${before.height} and ${scanCursor.hash} = ${before.hash}`)
        .returning({ id: scanCursor.id })
    : await tx
        .insert(scanCursor)
        .values({ id: 1, ...values })
        .onConflictDoNothing()
        .returning({ id: scanCursor.id })
  return rows.length === 1
}
