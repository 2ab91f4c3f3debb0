import type { Logger } from 'pino'
import { stopwatch, withDeadline } from './time.ts'

type Options = {
  name: string
  log: Pick<Logger, 'info' | 'warn'>
  /** At once: from now on nothing new is taken. */
  leave: () => void
  drain: () => Promise<unknown>
  /** Ends what is still in flight after 10 s; left out, that has until the hard exit. */
  cut?: () => Promise<unknown>
  close: () => Promise<unknown>
  exit?: (code: number) => void
  /** Milliseconds of a clock that only goes on. */
  now?: () => number
}

const drainMs = 10_000
const cutMs = 1_000
const closeMs = 5_000
const hardExitMs = 20_000
/** A terminal signals the whole group and `start` signals each process: both together ask once. */
const sameRequestMs = 1_000

export function stopOnSignals({ log, ...options }: Options & { log: Pick<Logger, 'error'> }): void {
  const stop = shutdown({ log, ...options })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A connection of a package that breaks at the wrong moment must not cut off visitors or jobs in hand.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'))
  process.on('uncaughtException', (err) => log.error({ err }, 'uncaught exception'))
}

/** In-flight work is finished, then exit 0. A second signal after a second, or 20 s, ends the process hard. @internal */
export function shutdown({
  name,
  log,
  leave,
  drain,
  cut,
  close,
  exit = process.exit,
  now = () => performance.now(),
}: Options): () => void {
  let since: number | undefined

  async function run(): Promise<void> {
    const durationMs = stopwatch()
    leave()
    const isDrained = await isDoneIn(cut ? drainMs : hardExitMs, drain())
    if (!isDrained && cut) {
      log.warn({ durationMs: durationMs() }, 'calls that were not answered in time are cut')
      await isDoneIn(cutMs, cut())
    }
    await isDoneIn(closeMs, close())
    log.info({ durationMs: durationMs() }, `${name} has stopped`)
    exit(0)
  }

  return () => {
    if (since === undefined) {
      since = now()
      log.info(`${name} is stopping`)
      setTimeout(exit, hardExitMs, 1).unref()
      void run()
    } else if (now() - since > sameRequestMs) exit(1)
  }
}

/** Done is done, well or not. */
const isDoneIn = async (ms: number, work: Promise<unknown>): Promise<boolean> =>
  (await withDeadline(ms, Promise.allSettled([work]), () => undefined)) !== undefined
