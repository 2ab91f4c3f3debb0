import { createPostgresBackend } from 'bullmq'
import type { OnError, Pace, QueueConnection } from './queue-connection.ts'
import { pause, retry } from './time.ts'

const usual: Pace = { connectWithinMs: 10_000, sleep: pause }
const againMs = 1_000

/**
 * Of each queue, and one more for a worker to listen on: ten each would be most of what Postgres has. Limits, as else a
 * Postgres that does not answer is waited for without end.
 */
export const postgresConnection = ({ databaseUrl, pace }: QueueConnection) => ({
  ...{ connectionString: databaseUrl, max: 2 },
  // In all, with the pause after a refusal, less than the 30 s for which BullMQ locks a job that was taken.
  ...{ connectionTimeoutMillis: pace?.connectWithinMs ?? usual.connectWithinMs, query_timeout: 15_000 },
})

/** BullMQ waits 15 s before it finishes a job again that it could not while Postgres was away, and takes no other. */
export const postgresWorker = { runRetryDelay: againMs }

type Openable = { waitUntilReady: () => Promise<unknown>; close: () => Promise<unknown> }

/** Opened anew a second later where Postgres refuses: BullMQ keeps the first refusal for ever. `onError` gets each. */
export function openUntilReady<T extends Openable>(
  open: () => T,
  onError: OnError,
  { sleep = usual.sleep }: Partial<Pace> = {},
) {
  const closing = new AbortController()
  let isRefused = false
  let newest = open()
  const openAnew = async (refusal: unknown) => {
    closing.signal.throwIfAborted()
    isRefused = true
    onError(refusal as Error)
    await newest.close().catch(() => undefined)
    await sleep(againMs, closing.signal)
    closing.signal.throwIfAborted()
    newest = open()
    return true
  }
  const ready = retry(async () => {
    await newest.waitUntilReady()
    closing.signal.throwIfAborted()
    isRefused = false
    return newest
  }, openAnew)
  ready.catch(() => undefined)
  return {
    /** Resolves with it once Postgres has taken it, rejects if it is closed before. */
    ready,
    /** Postgres has refused it, and is asked again. */
    isRefused: () => isRefused,
    close: async () => {
      closing.abort(new Error('It was closed before Postgres took it.'))
      // BullMQ forgets a connection that it begins to open after it was closed.
      await newest.waitUntilReady().catch(() => undefined)
      await newest.close()
    },
  }
}

/**
 * Its worker is told a second later that there is no job where Postgres refuses: told of the refusal it asks again at once, or
 * looks for none any more. The refusal goes to the worker's `error`.
 */
export const postgresBackend =
  ({ sleep = usual.sleep }: Partial<Pace> = {}): typeof createPostgresBackend =>
  (...args) => {
    const backend = createPostgresBackend(...args)
    const orNone = async <T>(answer: Promise<T>, none: T): Promise<T> => {
      try {
        return await answer
      } catch (error) {
        backend.emit('error', error)
        await sleep(againMs)
        return none
      }
    }
    const { moveToActive, waitForJob } = backend
    backend.moveToActive = (...job) => orNone(moveToActive.apply(backend, job), [null, '', 0, 0])
    backend.waitForJob = (seconds) => orNone(waitForJob.call(backend, seconds), null)
    return backend
  }
