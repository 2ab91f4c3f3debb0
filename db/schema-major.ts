import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from './index.ts'

/**
 * What this program understands. Migrations only add, and old and new programs live with them side by side;
 * one that takes something away from programs of the release before raises the number in `schema_major` and here.
 */
const known = 1

/** The database belongs to a newer release: this program would read or write it wrongly. */
export class SchemaTooNew extends Error {
  override name = 'SchemaTooNew'
  constructor(major: number) {
    super(
      `The database has schema ${major}, this release knows ${known}: start the release that it was migrated for.`,
    )
  }
}

/** Throws SchemaTooNew; false when the database has not been brought to this release yet. */
export async function fitsSchema(db: Db): Promise<boolean> {
  const [table] = await db.execute<{ found: boolean }>(
    sql`select to_regclass('schema_major') is not null as found`,
  )
  if (!table?.found) return false
  const [row] = await db.execute<{ major: number }>(sql`select major from schema_major`)
  const major = row?.major ?? 0
  if (major > known) throw new SchemaTooNew(major)
  return major === known
}

const lookEveryMs = 2_000

/**
 * Waits until the database answers and has been migrated, and logs why: at the start of everything it may come
 * last. A database of a newer release ends the process.
 */
export async function awaitSchemaOrExit(db: Db, log: Pick<Logger, 'warn' | 'fatal'>): Promise<void> {
  for (;;) {
    let reason = 'The database has not been migrated to this release yet.'
    try {
      if (await fitsSchema(db)) return
    } catch (error) {
      if (error instanceof SchemaTooNew) {
        log.fatal({ reason: error.message }, 'the database is of a newer release')
        process.exit(1)
      }
      reason = `The database does not answer: ${describe(error)}`
    }
    log.warn({ reason }, 'the database is waited for')
    await Bun.sleep(lookEveryMs)
  }
}

/** Drizzle's own sentence holds the query; what went wrong is its cause. */
function describe(error: unknown): string {
  const cause = (error as Error).cause ?? error
  const { message, code } = cause as Error & { code?: string }
  return message || code || 'unknown reason'
}
