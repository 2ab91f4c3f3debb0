import { createPostgresBackend } from 'bullmq'
import type { OnError } from './queue-connection.ts'

const againMs = 1_000

type Openable = { waitUntilReady: () => Promise<unknown>; close: () => Promise<unknown> }

/**
 * A queue or worker of BullMQ on Postgres, opened anew a second later where Postgres refuses, as it does while it starts or
 * has no connection to spare: BullMQ keeps the refusal of its first connection for ever. `onError` gets each refusal.
 */
export function openUntilReady<T extends Openable>(open: () => T, onError: OnError) {
  const closing = Promise.withResolvers<void>()
  let isClosing = false
  let isRefused = false
  let newest = open()
  const ready = (async () => {
    for (;;) {
      const refusal = await newest.waitUntilReady().then(
        () => undefined,
        (error) => error,
      )
      if (!refusal) break
      isRefused = true
      if (!isClosing) onError(refusal)
      await newest.close().catch(() => undefined)
      await Promise.race([Bun.sleep(againMs), closing.promise])
      if (isClosing) throw new Error('It was closed before Postgres took it.')
      newest = open()
    }
    isRefused = false
    return newest
  })()
  ready.catch(() => undefined)
  return {
    /** Resolves with it once Postgres has taken it, rejects if it is closed before. */
    ready,
    /** Postgres has refused it, and is asked again. */
    isRefused: () => isRefused,
    close: async () => {
      isClosing = true
      closing.resolve()
      await newest.close()
    },
  }
}

/**
 * BullMQ's own, which tells of a job that could not be taken a second later: its worker asks again at once, so that nothing
 * else in the program would run, and a Postgres that has no connection to spare would be asked for one all the time.
 */
export const postgresBackend: typeof createPostgresBackend = (...args) => {
  const backend = createPostgresBackend(...args)
  const moveToActive = backend.moveToActive.bind(backend)
  backend.moveToActive = async (...job) => {
    try {
      return await moveToActive(...job)
    } catch (error) {
      await Bun.sleep(againMs)
      throw error
    }
  }
  return backend
}
