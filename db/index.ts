import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type AnyColumn, and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { type PgDatabase, PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsQueryResultHKT, PostgresJsSession } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { RaffleError } from '../core/errors.ts'
import { hasCode, retry, withDeadline } from '../core/server/time.ts'

/** A pool or a transaction: queries take either, so callers combine them atomically. */
export type Db = PgDatabase<PostgresJsQueryResultHKT>

export type Connection = {
  db: Db
  /** Calls back with each payload, and with undefined after every (re)connection, as some may be missed. */
  listen: (channel: string, onNotify: (payload?: string) => void) => Promise<void>
  /** Opens every connection of the pool, so that no caller waits for one. Throws if one takes over 5 s. */
  open: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Connects when first used and again after a loss. infra/patches mends postgres.js for one in the middle of a transaction (its
 * issues 1066, 1154, 1208), which ended the process or sent the next connection foreign queries.
 */
export function connect(url: string, { max = 10, name = 'blockdraw' } = {}): Connection {
  const sql = postgres(url, {
    max,
    connect_timeout: 5,
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => undefined,
    connection: { application_name: name },
  })
  return {
    db: drizzle(sql),
    listen: async (channel, onNotify) => {
      await sql.listen(
        channel,
        (payload) => onNotify(payload),
        () => onNotify(),
      )
    },
    open: async () => {
      await Promise.all(Array.from({ length: max }, () => sql`select 1`))
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

/** Planned once per connection instead of at every call. Pass values as `sql.placeholder`, and prepare it under a name. */
export function prepared<S>(prepare: (db: Db) => S): (db: Db) => S {
  const known = new WeakMap<Db, S>()
  return (db) => {
    const found = known.get(db) ?? prepare(db)
    known.set(db, found)
    return found
  }
}

/** The database's clock, in seconds since 1970: the one that dates and deadlines are compared with. */
export async function readClock(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: string }>(
    sql`select extract(epoch from clock_timestamp()) as seconds`,
  )
  return Number(row?.seconds)
}

/** All that `act` asks sees one moment, however long it takes; it blocks no writer. */
export const snapshot = <T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(act, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/** Of saved values: a form that was filled with other ones is refused. */
export const versionOf = (values: unknown): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16)

/** Rows with these values, and older than the row `cursor`. */
export type Filter<Row, Name extends keyof Row> = { cursor?: number | undefined } & {
  [Each in Name]?: NonNullable<Row[Each]> | undefined
}

export const fitting = <Name extends string>(
  { id, ...columns }: { id: AnyColumn } & Record<Name, AnyColumn>,
  filter: { cursor?: number | undefined } & { [Each in Name]?: unknown },
): SQL | undefined =>
  and(
    filter.cursor === undefined ? undefined : lt(id, filter.cursor),
    ...Object.entries<AnyColumn>(columns).map(([name, column]) => {
      const value = filter[name as Name]
      return value === undefined ? undefined : eq(column, value)
    }),
  )

/** As many as there are: a list of parameters ends at 65,535. */
export const isOneOf = (column: AnyColumn, texts: readonly string[]): SQL =>
  sql`${column} = any(${sql.param([...texts])}::text[])`

const dialect = new PgDialect()

/**
 * CSV without a header, in chunks as Postgres sends them: the fastest way to all of a table. It holds the connection until all
 * is sent, so it is not for slow readers, and asked in a transaction: else others' questions wait behind it. Throws when the connection is lost.
 */
export async function copyCsv(db: Db, select: SQL): Promise<Readable> {
  const { session } = db._
  if (!(session instanceof PostgresJsSession)) throw new Error('Only postgres.js can copy.')
  // COPY takes no parameters: they stand in its text, escaped.
  const { sql } = dialect.sqlToQuery(select.inlineParams())
  return session.client.unsafe(`copy (${sql}) to stdout (format csv)`).readable()
}

const connectionCodes = [
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ERR_SOCKET_CLOSED',
  // Shut down, crashed, starting, a statement that took too long, standby after a failover.
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '25006',
  // Disk full, out of memory, too many connections, input or output error.
  '53100',
  '53200',
  '53300',
  '58030',
  // Conflicts that remained after retries.
  '40001',
  '40P01',
  '55P03',
]

/** True when the database is down or overloaded, not when it refuses a query: a retry may succeed later. */
export const isDatabaseOutage = (error: unknown): boolean => hasCode(error, ...connectionCodes)

const deadlineMs = 5_000
const attempts = 5

/** Retried after a conflict of two transactions (serialization failure, deadlock), DB_UNAVAILABLE after 5 s. It may still be committed then, so `work` must be safe to repeat. */
export const retryOnConflict = <T>(work: () => Promise<T>, limitMs = deadlineMs): Promise<T> =>
  withDeadline(
    limitMs,
    retry(work, (error, attempt) => attempt < attempts && hasCode(error, '40001', '40P01')),
    () => {
      throw new RaffleError('DB_UNAVAILABLE', { reason: 'away' })
    },
  )
