import { eq, sql } from 'drizzle-orm'
import type { AnchorKeyReport } from '../../core/anchor-key.ts'
import type { ChainHealth } from '../../core/chain-health.ts'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

type Reports = { chain: ChainHealth; anchorKey: AnchorKeyReport }

/** What a worker last saw of the endpoints, or of its anchor key; of many workers the latest is kept. */
export async function saveReport<N extends keyof Reports>(db: Db, name: N, facts: Reports[N]): Promise<void> {
  await db
    .insert(reports)
    .values({ name, facts })
    .onConflictDoUpdate({ target: reports.name, set: { facts, at: sql`now()` } })
}

/** Undefined before the first one. */
export async function readAnchorKey(
  db: Db,
): Promise<{ facts: AnchorKeyReport; at: Date; secondsAgo: number } | undefined> {
  const [row] = await db
    .select({
      facts: reports.facts,
      at: reports.at,
      secondsAgo: sql<number>`extract(epoch from now() - ${reports.at})::float8`,
    })
    .from(reports)
    .where(eq(reports.name, 'anchorKey'))
  return row && { ...row, facts: row.facts as AnchorKeyReport }
}
