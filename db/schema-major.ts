import { sql } from 'drizzle-orm'
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

type Waiting = { waits: (why: string) => void; everyMs?: number }

/**
 * Waits until the database answers and has been migrated: at the start of everything it may come last.
 * `waits` hears why at every look. Throws SchemaTooNew.
 */
export async function awaitSchema(db: Db, { waits, everyMs = 2_000 }: Waiting): Promise<void> {
  for (;;) {
    try {
      if (await fitsSchema(db)) return
      waits('The database has not been migrated to this release yet.')
    } catch (error) {
      if (error instanceof SchemaTooNew) throw error
      waits(`The database does not answer: ${describe(error)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Drizzle's own sentence holds the query; what went wrong is its cause. */
function describe(error: unknown): string {
  const cause = (error as Error).cause ?? error
  const { message, code } = cause as Error & { code?: string }
  return message || code || 'unknown reason'
}
