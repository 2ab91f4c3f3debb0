import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Db } from './index.ts'

export const migrationsFolder = join(import.meta.dirname, 'migrations')

/**
 * Hash of the first migration, under which the journal keeps it. The file never changes after a release, so every
 * database of a release begins with this hash, and one that does not has tables of another history.
 */
export const firstMigration = (): string => readMigrationFiles({ migrationsFolder })[0]?.hash ?? ''

/** Hash of the migration that this database began with; undefined before the first one. */
export async function begunWith(db: Db): Promise<string | undefined> {
  const [journal] = await db.execute<{ found: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (!journal?.found) return undefined
  const [first] = await db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id limit 1`,
  )
  return first?.hash
}
