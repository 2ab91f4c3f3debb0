import type { Readable } from 'node:stream'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type { Db } from './index.ts'

const dialect = new PgDialect()

/**
 * What a select finds, as CSV without a header, in chunks as Postgres sends them: the fastest way to all of a table, which
 * makes no objects and no texts. It holds the connection until Postgres has sent all, so it is nothing for slow readers; in a
 * transaction it sees what that sees. Throws when the connection is lost.
 */
export async function copyCsv(db: Db, select: SQL): Promise<Readable> {
  const { session } = db._
  if (!(session instanceof PostgresJsSession)) throw new Error('Only postgres.js can copy.')
  // COPY takes no parameters: they stand in its text, escaped.
  const { sql } = dialect.sqlToQuery(select.inlineParams())
  return session.client.unsafe(`copy (${sql}) to stdout (format csv)`).readable()
}
