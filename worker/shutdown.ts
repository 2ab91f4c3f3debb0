import type { Logger } from 'pino'

type Options = {
  log: Pick<Logger, 'info' | 'warn'>
  /** Finishes the jobs in hand and closes every connection. */
  finish: () => Promise<unknown>
  exit?: (code: number) => void
}

const hardExitMs = 20_000
/** A terminal sends its signal to the whole group and `start` sends one too: that is one wish, not two. */
const sameWishMs = 1_000

/**
 * The way out, for SIGTERM and SIGINT: jobs in hand are finished, then exit 0. A second signal after more
 * than a second, or 20 s in all, ends it hard; what was in hand is then found again by its row.
 */
export function shutdown({ log, finish, exit = process.exit }: Options): () => void {
  let since: number | undefined

  async function run(): Promise<void> {
    await finish().catch((error) => log.warn({ error }, 'not everything could be closed'))
    log.info('worker has stopped')
    exit(0)
  }

  return () => {
    const now = performance.now()
    if (since === undefined) {
      since = now
      log.info('worker is stopping')
      setTimeout(exit, hardExitMs, 1).unref()
      void run()
    } else if (now - since > sameWishMs) exit(1)
  }
}
