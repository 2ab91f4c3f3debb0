import { sql } from 'drizzle-orm'
import type { ChainHealth } from '../../core/chain-health.ts'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

/** What a worker last saw of the endpoints; of many workers the latest is kept. */
export async function saveReport(db: Db, name: 'chain', facts: ChainHealth): Promise<void> {
  await db
    .insert(reports)
    .values({ name, facts })
    .onConflictDoUpdate({ target: reports.name, set: { facts, at: sql`now()` } })
}
