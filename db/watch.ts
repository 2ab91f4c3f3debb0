import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type Clock, realClock, withDeadline } from '../core/server/time.ts'
import { versionChannel } from './event/terms.ts'
import type { Db } from './index.ts'

const beatEveryMs = 1_000
const beatWithinMs = 1_500
const retryAfterMs = 250

/** The database's last answer: the stored version, and its clock in milliseconds. */
export type Beat = { version: number; now: number }

type Watcher = {
  /** Called once a second, and at once after every commit that changes the public state. */
  onBeat: (beat: Beat) => void
  /** The database does not answer; called again for as long as that lasts. */
  onLost: (error: unknown) => void
}

export type Watch = { readonly db: Db; stop: () => Promise<void> }

/**
 * On a connection of its own, which is read and checked each second: one that hangs is found within 2 s. Works before Postgres
 * is up. `db` is this connection, so loads through it never wait for the pool.
 */
export function watchVersion(
  url: string,
  { onBeat, onLost }: Watcher,
  clock: Pick<Clock, 'sleep'> = realClock,
): Watch {
  const stopping = new AbortController()
  const { signal } = stopping
  let wake = Promise.withResolvers<void>()
  let client = open()

  function open() {
    const own = postgres(url, {
      max: 1,
      connect_timeout: 2,
      idle_timeout: 0,
      max_lifetime: null,
      backoff: false,
      fetch_types: false,
      onnotice: () => undefined,
      connection: { application_name: 'blockdraw watch' },
      onclose: () => wake.resolve(),
      // Known to postgres.js, which uses it for its own `listen`, but not to its types.
      ...{ onnotify: () => wake.resolve() },
    })
    return { sql: own, db: drizzle(own) }
  }

  async function beat(): Promise<void> {
    const { sql } = client
    for (;;) {
      const [row] = await sql<{ version: string; now: string; listens: boolean }[]>`
        select version, extract(epoch from clock_timestamp()) * 1000 as now,
          exists (select from pg_listening_channels() as channel where channel = ${versionChannel}) as listens
        from house`
      if (!row) throw new Error('The table house is empty.')
      if (row.listens) return onBeat({ version: Number(row.version), now: Number(row.now) })
      await sql.unsafe(`listen ${versionChannel}`)
    }
  }

  const running = (async () => {
    while (!signal.aborted) {
      wake = Promise.withResolvers()
      try {
        await withDeadline(beatWithinMs, beat(), noAnswer, clock)
      } catch (error) {
        if (signal.aborted) return
        onLost(error)
        void client.sql.end({ timeout: 0 }).catch(() => undefined)
        client = open()
        await clock.sleep(retryAfterMs, signal)
        continue
      }
      await withDeadline(beatEveryMs, wake.promise, () => undefined, clock)
    }
  })()

  return {
    get db() {
      return client.db
    },
    stop: async () => {
      stopping.abort()
      wake.resolve()
      await client.sql.end({ timeout: 0 })
      await running
    },
  }
}

function noAnswer(): never {
  throw new Error('The database did not answer in time.')
}
