import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { reports } from '../schema/index.ts'

/** Stores a worker's last view of the endpoints; with several workers the latest is kept. */
export async function saveReport(db: Db, name: 'chain', facts: unknown): Promise<void> {
  await db
    .insert(reports)
    .values({ name, facts })
    .onConflictDoUpdate({ target: reports.name, set: { facts, at: sql`now()` } })
}
