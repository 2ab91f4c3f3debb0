import type { Logger } from 'pino'
import postgres from 'postgres'
import { realClock, withDeadline } from './time.ts'

/** The kernel waits no longer before it sends again: Linux's TCP_RTO_MAX is 120 s, and its timers are coarse. */
const longestResendMs = 130_000

const beatEveryMs = 2_000
const silentMs = 20_000
const answerWithinMs = 5_000

type HalfOpenWatch = { stop: () => Promise<void> }

/** Timers and jobs would hang with them. Rows are the record, so the process goes on once it is started again. */
export const endWhereHalfOpen = (url: string, log: Pick<Logger, 'fatal'>): HalfOpenWatch =>
  watchHalfOpen(url, () => {
    log.fatal('connections to Postgres hang: the process ends')
    process.exit(1)
  })

/**
 * Calls back, once, where Postgres answers a new connection but not an older one: after a failover each of a pool hangs some 15
 * minutes. Nothing is told while it answers nobody, is slow, or has just come back. @internal
 */
export function watchHalfOpen(url: string, onFound: () => void, clock = realClock): HalfOpenWatch {
  const stopping = new AbortController()
  const open = () =>
    postgres(url, {
      max: 1,
      connect_timeout: answerWithinMs / 1000,
      idle_timeout: 0,
      max_lifetime: null,
      backoff: false, // a wait before it is opened again is no silence
      fetch_types: false,
      onnotice: () => undefined,
      connection: { application_name: 'blockdraw half-open' },
    })
  const older = open()
  const pause = () => clock.sleep(beatEveryMs, stopping.signal)

  async function askNew(): Promise<'answered' | 'refused' | 'silent'> {
    const newer = open()
    const answer = newer`select 1`.then(
      () => 'answered' as const,
      ({ code }) => (code === 'CONNECT_TIMEOUT' ? 'silent' : 'refused'),
    )
    const heard = await withDeadline(answerWithinMs, answer, () => 'silent' as const, clock)
    void newer.end({ timeout: 0 }).catch(() => undefined)
    return heard
  }

  async function isHalfOpen(): Promise<boolean> {
    const askedAt = clock.now()
    let isOver = false
    const answer = older`select 1`
      .catch(() => undefined) // a connection that was ended is opened again
      .then(() => {
        isOver = true
      })
    await withDeadline(silentMs, answer, () => undefined, clock)
    let hangsAt = Number.POSITIVE_INFINITY
    while (!isOver && !stopping.signal.aborted) {
      const heard = await askNew()
      const now = clock.now()
      // What was lost on a path that has come back is sent again within about the time that it was away.
      const resentBy = now + Math.min(now - askedAt, longestResendMs)
      if (heard === 'silent') hangsAt = Number.POSITIVE_INFINITY
      if (heard === 'answered') hangsAt = Math.min(hangsAt, resentBy)
      if (heard === 'answered' && !isOver && now >= hangsAt) return true
      await pause()
    }
    return false
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      if (await isHalfOpen()) return stopping.signal.aborted || onFound()
      await pause()
    }
  })()

  return {
    stop: async () => {
      stopping.abort()
      await older.end({ timeout: 0 })
      await running
    },
  }
}
