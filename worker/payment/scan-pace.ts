import type { JobQueue } from '../../core/server/queue.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import type { Db } from '../../db/index.ts'
import { type Pace, scanPace } from '../../db/payment/fold.ts'

/** Each scan costs questions to the endpoints: it is as quick as anybody needs it. */
export const scanEveryMs: Record<Pace, number> = { busy: 400, idle: 1_000, asleep: 10_000 }
/** A node that tells blocks without end brings no more scans than this, and no more questions to the database. */
const leastGapMs = 200
/** Where heads are told, nobody asks in between; a scan comes by itself when none was told for this long. */
const afterHeadMs = 1_000

/** Providers count each block that is told: so long after a buyer waited last they are asked for none. */
const listenMs = 30_000

type Parts = {
  db: Db
  jobs: Pick<JobQueue, 'enqueue'>
  run: () => Promise<void>
  /** Asks to be told of blocks, until it is stopped. */
  listen: (onHead: (height: bigint) => Promise<void>) => { stop: () => void }
  /** Milliseconds since 1970, by which workers agree on ids. */
  date?: () => number
} & Partial<Clock>

/** When the next blocks are worth reading: at its own pace, and at once when a block is told while a buyer waits. */
export function paceScans({ db, jobs, run, listen, date = Date.now, ...clock }: Parts) {
  const { now, sleep } = { ...realClock, ...clock }
  let lastSlot: string | undefined
  let headAt = Number.NEGATIVE_INFINITY
  let told: bigint | undefined
  let followedAt = Number.NEGATIVE_INFINITY
  let isFollowing = false
  let isOver = false
  let heads: { stop: () => void } | undefined
  let busyAt = Number.NEGATIVE_INFINITY

  /**
   * An id per time slot: many workers add one job, and a job lost with a killed worker does not block later ones.
   * Without the queue the scan runs directly, as it is safe in any number of workers at once.
   */
  async function add(jobId: string): Promise<void> {
    if (!(await jobs.enqueue('scan', {}, { jobId }))) await run()
  }

  const rest = (): void => {
    heads?.stop()
    heads = undefined
  }

  /** What is told meanwhile is followed next: the clock's own scans wait for it. */
  async function follow(height: bigint): Promise<void> {
    told = height
    if (isFollowing) return
    isFollowing = true
    try {
      while (told !== undefined) {
        const earlyMs = followedAt + leastGapMs - now()
        if (earlyMs > 0) await sleep(earlyMs)
        const next: bigint = told
        told = undefined
        followedAt = now()
        if (isOver || (await scanPace(db)) !== 'busy') return
        headAt = now()
        // Of a height alone it could be told again and again: whoever does that would wait for a job that was lost.
        await add(`scan-head-${next}-${Math.floor(date() / afterHeadMs)}`)
      }
    } finally {
      isFollowing = false
    }
  }

  return {
    stop: (): void => {
      isOver = true
      rest()
    },
    /** To be called every `scanEveryMs.busy`. */
    atTick: async (): Promise<void> => {
      const pace = await scanPace(db)
      if (isOver) return
      if (pace === 'busy') {
        busyAt = now()
        // The next tick scans where this could not.
        heads ??= listen((height) => follow(height).catch(() => undefined))
      } else if (now() - busyAt > listenMs) rest()
      const everyMs = scanEveryMs[pace]
      const slot = `scan-${everyMs}-${Math.floor(date() / everyMs)}`
      if (slot === lastSlot || now() - headAt < afterHeadMs) return
      lastSlot = slot
      await add(slot)
    },
  }
}
