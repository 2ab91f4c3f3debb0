import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Logger } from 'pino'
import type { Db } from './index.ts'

export const migrationsFolder = join(import.meta.dirname, 'generated')

/** Raised, with `house.schema_major`, by a migration that removes what the release before uses; all others only add. */
const known = 1

/** This program would read or write the database wrongly: it prints the reason and ends. */
export class SchemaMisfit extends Error {
  override name = 'SchemaMisfit'
}

/** The database was begun before the first release, by migrations that no release has. */
export class SchemaOfDevelopment extends SchemaMisfit {
  override name = 'SchemaOfDevelopment'
  constructor() {
    super(
      'The database comes from an earlier development version, and nothing leads from there to this release, ' +
        'neither db:migrate nor a backup: use a new, empty one.',
    )
  }
}

/** Throws SchemaMisfit; false when the database has not been brought to this release yet. */
export async function fitsSchema(db: Db): Promise<boolean> {
  const first = await begunWith(db)
  if (!first) return false
  if (first !== firstMigration()) throw new SchemaOfDevelopment()
  const [row] = await db.execute<{ major: number }>(sql`select schema_major as major from house`)
  const major = row?.major ?? 0
  if (major > known)
    throw new SchemaMisfit(
      `The database has schema ${major}, this release knows ${known}: start the release that it was migrated for.`,
    )
  return major === known
}

/** As the journal stores it: the file never changes after a release, so a database with another one has other tables. */
const firstMigration = (): string => readMigrationFiles({ migrationsFolder })[0]?.hash ?? ''

async function begunWith(db: Db): Promise<string | undefined> {
  const [journal] = await db.execute<{ found: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (!journal?.found) return undefined
  const [first] = await db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id limit 1`,
  )
  return first?.hash
}

const lookEveryMs = 2_000

/** Logs why it waits: when everything starts at once the database may be the last. Throws SchemaMisfit. @internal */
export async function awaitSchema(db: Db, log: Pick<Logger, 'warn'>): Promise<void> {
  for (;;) {
    let reason = 'The database has not been migrated to this release yet.'
    try {
      if (await fitsSchema(db)) return
    } catch (error) {
      if (error instanceof SchemaMisfit) throw error
      reason = `The database does not answer: ${describe(error)}`
    }
    log.warn({ reason }, 'the database is waited for')
    await Bun.sleep(lookEveryMs)
  }
}

/** For servers: a misfit ends the process. Warns of a login that could switch off what makes tables append-only. */
export async function awaitSchemaOrExit(db: Db, log: Pick<Logger, 'warn' | 'fatal'>): Promise<void> {
  try {
    await awaitSchema(db, log)
    const login = await rulingLogin(db).catch(() => undefined) // lost again: it says so by itself
    if (login) log.warn({ login }, 'this login may change the rules of the tables')
  } catch (error) {
    log.fatal({ reason: (error as Error).message }, 'this release does not fit the database')
    process.exit(1)
  }
}

async function rulingLogin(db: Db): Promise<string | undefined> {
  const [row] = await db.execute<{ login: string; rules: boolean }>(sql`
    select current_user as login, pg_has_role(current_user, relowner, 'member') as rules
    from pg_class where oid = 'draws'::regclass`)
  return row?.rules ? row.login : undefined
}

/** Drizzle's message holds the query; its cause holds what went wrong. */
function describe(error: unknown): string {
  const cause = (error as Error).cause ?? error
  const { message, code } = cause as Error & { code?: string }
  return message || code || 'unknown reason'
}
