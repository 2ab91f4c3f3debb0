import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from './schema/index.ts'

/** A pool or a transaction: queries take either, so callers combine them atomically. */
export type Db = Pick<
  PostgresJsDatabase<typeof schema>,
  | 'select'
  | 'selectDistinctOn'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | 'transaction'
  | 'with'
  | '$with'
  | '_'
>

export type Connection = {
  db: Db
  /** Calls back with each payload, and with undefined after every (re)connection, as some may be missed. */
  listen: (channel: string, onNotify: (payload?: string) => void) => Promise<void>
  /** Opens every connection of the pool, so that no caller waits for one. Throws if one takes over 5 s. */
  open: () => Promise<void>
  close: () => Promise<void>
}

/**
 * A pool of at most `max` connections; connects when first used and again after a loss. infra/patches fixes
 * postgres.js for a connection lost in the middle of a transaction: it still wrote to the dead socket, which
 * ended the process, and sent the next connection the lost one's queries (its issues 1066, 1154 and 1208).
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
    db: drizzle(sql, { schema }),
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
