import { eq, type SQL, sql } from 'drizzle-orm'
import type { ChainHealth } from '../../core/chain/chain-health.ts'
import type { AnchorKeyReport } from '../../core/draw/anchor-key.ts'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

type Reports = { chain: ChainHealth; anchorKey: AnchorKeyReport }

/**
 * What a worker last saw of the endpoints, or of its anchor key; of many workers the latest is kept. Of the chain an idle
 * one knows less: it is heard when nobody who has seen a later final block has told anything for a while.
 */
export async function saveReport<N extends keyof Reports>(db: Db, name: N, facts: Reports[N]): Promise<void> {
  const height = (from: SQL) => sql`coalesce((${from} ->> 'finalHeight')::numeric, -1)`
  const knowsMore = sql`${height(sql`excluded.facts`)} >= ${height(sql`${reports.facts}`)}`
  const isOld = sql`${reports.at} < now() - interval '15 seconds'`
  await db
    .insert(reports)
    .values({ name, facts })
    .onConflictDoUpdate({
      ...{ target: reports.name, set: { facts, at: sql`now()` } },
      ...(name === 'chain' && { setWhere: sql`${knowsMore} or ${isOld}` }),
    })
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
