import type { JobQueue } from '../../core/server/queue.ts'
import { realClock } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { type Pace, scanPace } from '../../db/payment/fold.ts'

/** Each scan costs questions to the endpoints: it is as quick as anybody needs it. */
export const scanEveryMs: Record<Pace, number> = { busy: 400, idle: 1_000, asleep: 10_000 }
/** A scan that fails rests, twice as long each time. Short: a ticket must be credited within 5 s after an endpoint has recovered. */
const firstRestMs = 500
const longestRestMs = 1_500

type Parts = {
  db: Db
  jobs: Pick<JobQueue, 'enqueue'>
  run: () => Promise<void>
  now?: () => number
  /** Milliseconds since 1970, by which workers agree on ids. */
  date?: () => number
}

/** When the next blocks are worth reading. */
export function paceScans({ db, jobs, run, now = realClock.now, date = Date.now }: Parts) {
  let lastSlot: string | undefined
  let restUntil = Number.NEGATIVE_INFINITY
  let restMs = firstRestMs
  return {
    /** What a scan comes to; after a failure the next ones are put off. */
    paced: async <T>(scan: () => Promise<T>): Promise<T> => {
      try {
        const found = await scan()
        restMs = firstRestMs
        restUntil = Number.NEGATIVE_INFINITY
        return found
      } catch (error) {
        restUntil = now() + restMs
        restMs = Math.min(longestRestMs, restMs * 2)
        throw error
      }
    },
    /**
     * To be called every `scanEveryMs.busy`. An id per time slot: many workers add one job, and a job lost with a killed worker
     * does not block later ones. Without the queue the scan runs directly, as it is safe in any number of workers at once.
     */
    atTick: async (): Promise<void> => {
      if (now() < restUntil) return
      const everyMs = scanEveryMs[await scanPace(db)]
      const slot = `scan-${everyMs}-${Math.floor(date() / everyMs)}`
      if (slot === lastSlot) return
      lastSlot = slot
      if (!(await jobs.enqueue('scan', {}, { jobId: slot }))) await run()
    },
  }
}
