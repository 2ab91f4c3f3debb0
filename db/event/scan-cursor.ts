import { gt, type SQL, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { readClock } from '../clock.ts'
import type { Db } from '../index.ts'
import { scanCursor, secondReading } from '../schema/index.ts'

const mostBehindSeconds = 600

export type ScanCursor = { height: bigint; hash: Hash; blockTime: Date; newestBlockTime?: Date | null }

/** The last final block that has been folded; undefined before the first scan. */
export async function getScanCursor(db: Db): Promise<ScanCursor | undefined> {
  const [row] = await db.select().from(scanCursor)
  return row
}

/**
 * How far time has come for what the rules give a deadline: the time of the last block that was folded, and, after an hour
 * without one, the database's clock. A column of scan_cursor's row.
 */
export const reachedTime = (asksClock = true): SQL => sql`
  greatest(${scanCursor.blockTime}, case when ${asksClock} and ${scanCursor.updatedAt} < clock_timestamp() - interval '1 hour'
    then clock_timestamp() end)`

/** True while the last block that was folded is so old that a word given now cannot be dated by it. */
export async function isFarBehind(db: Db, { blockTime }: Pick<ScanCursor, 'blockTime'>): Promise<boolean> {
  return (await readClock(db)) - blockTime.getTime() / 1000 > mostBehindSeconds
}

/**
 * Moves the cursor on from `before`. False when another worker was faster: the caller rolls back, so a range
 * is folded once, however many workers scan.
 */
export async function advanceCursor(
  tx: Db,
  before: ScanCursor | undefined,
  after: ScanCursor,
): Promise<boolean> {
  const { height, hash, blockTime } = after
  const values = { height, hash, blockTime, updatedAt: sql`now()` }
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

/**
 * Stores the time of the newest block seen, in seconds: no draw date may end a sale before it. Goes back only
 * from a time that no block can have by now (`notAfter`), so that one wrong answer does not lock the event.
 */
export async function noteNewestBlock(
  db: Db,
  { timestamp, notAfter }: { timestamp: number; notAfter: number },
): Promise<void> {
  const [time, bound] = [timestamp, notAfter].map((seconds) => sql`to_timestamp(${seconds})`)
  await db
    .update(scanCursor)
    .set({ newestBlockTime: sql`${time}` })
    .where(
      sql`coalesce(${scanCursor.newestBlockTime}, 'epoch') < ${time} or ${scanCursor.newestBlockTime} > ${bound}`,
    )
}

/**
 * Puts the cursor back to a block that is still canonical, so that later blocks are refolded, and read twice
 * again. Undefined `to`: back to before the first block. The caller has removed the payments after it.
 */
export async function rewindCursor(tx: Db, to: ScanCursor | undefined): Promise<void> {
  if (to) {
    const { height, blockTime } = to
    // A sale that has ended on chain does not begin again: what came behind its end may be on its way back.
    const newestBlockTime = sql`greatest(${scanCursor.newestBlockTime}, ${scanCursor.blockTime})`
    await tx
      .update(scanCursor)
      .set({ height, hash: to.hash, blockTime, newestBlockTime, updatedAt: sql`now()` })
    await tx
      .update(secondReading)
      .set({ height, blockTime, failedAt: null, updatedAt: sql`now()` })
      .where(gt(secondReading.height, height))
  } else {
    await tx.delete(scanCursor)
    await tx.delete(secondReading)
  }
}
