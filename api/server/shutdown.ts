import type { Logger } from 'pino'

type Options = {
  log: Pick<Logger, 'info' | 'warn'>
  /** Not ready from now on, streams ended. */
  leave: () => void
  server: { stop: (closeActiveConnections?: boolean) => Promise<void> }
  /** Connections of ours, closed when nothing is in flight any more. */
  close: () => Promise<unknown>
  exit?: (code: number) => void
  /** Milliseconds of a clock that only goes on. */
  now?: () => number
}

const drainMs = 10_000
const closeMs = 5_000
const hardExitMs = 20_000
/** A terminal sends its signal to the whole group and `start` sends one too: that is one wish, not two. */
const sameWishMs = 1_000

/**
 * The way out, for SIGTERM and SIGINT: ready is 503 at once, no connection is accepted, streams hear a close
 * event, what is in flight is answered within 10 s, then exit 0. A second signal after more than a second, or
 * 20 s in all, ends it hard.
 */
export function shutdown({
  log,
  leave,
  server,
  close,
  exit = process.exit,
  now = () => performance.now(),
}: Options): () => void {
  let since: number | undefined

  async function run(): Promise<void> {
    leave()
    const drained = await within(drainMs, server.stop())
    if (!drained) {
      log.warn('some calls were not answered in time and are cut')
      await within(1_000, server.stop(true))
    }
    await within(closeMs, close())
    log.info('api has stopped')
    exit(0)
  }

  return () => {
    if (since === undefined) {
      since = now()
      log.info('api is stopping')
      setTimeout(exit, hardExitMs, 1).unref()
      void run()
    } else if (now() - since > sameWishMs) exit(1)
  }
}

/** True if it was done in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  const done = work.then(
    () => true,
    () => true,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
