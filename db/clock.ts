import { sql } from 'drizzle-orm'
import type { Db } from './index.ts'

/** The database's clock, in seconds since 1970: the one that dates and deadlines are compared with. */
export async function readClock(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: string }>(
    sql`select extract(epoch from clock_timestamp()) as seconds`,
  )
  return Number(row?.seconds)
}
