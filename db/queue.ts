import { createPostgresBackend, type JobsOptions, Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { type JobName, type Jobs, type QueueName, queueNames, queueOf } from '../core/jobs.ts'

/** Where the doorbell hangs: Redis in production, else the database itself. */
export type QueuePlace = { redisUrl: string | undefined; databaseUrl: string }

export type Bell = {
  /** Best effort within 200 ms: true if it rang. A bell that cannot ring costs nothing, the sweeper finds the row. */
  ring: <N extends JobName>(name: N, payload: Jobs[N], options?: JobsOptions) => Promise<boolean>
  /** Rings for many rows of one kind at once. */
  ringAll: <N extends JobName>(name: N, jobs: { payload: Jobs[N]; jobId: string }[]) => Promise<boolean>
  close: () => Promise<void>
}

/** A finished job leaves nothing behind: its row is the record, and its id may be rung again. */
const forget: JobsOptions = { removeOnComplete: true, removeOnFail: true }

/** Connects to every queue, to ring. `onError` hears of lost connections; they are made anew by themselves. */
export function connectBell(place: QueuePlace, onError: (error: Error) => void): Bell {
  const queues = new Map(queueNames.map((name) => [name, openQueue(name, place, onError)]))
  const queueFor = (name: JobName): Queue => queues.get(queueOf[name]) as Queue
  return {
    ring: (name, payload, options) => soon(queueFor(name).add(name, payload, { ...forget, ...options })),
    ringAll: (name, jobs) =>
      soon(
        queueFor(name).addBulk(
          jobs.map(({ payload, jobId }) => ({ name, data: payload, opts: { ...forget, jobId } })),
        ),
      ),
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()))
    },
  }
}

/** Takes jobs of one queue, `concurrency` at a time; `work` is a plain function of name and payload. */
export function openWorker(
  name: QueueName,
  place: QueuePlace,
  work: (job: JobName, payload: unknown) => Promise<unknown>,
  options: { concurrency: number; onError: (error: Error) => void },
): Worker {
  const run = (job: { name: string; data: unknown }) => work(job.name as JobName, job.data)
  const shared = {
    concurrency: options.concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  }
  const worker = place.redisUrl
    ? new Worker(name, run, { ...shared, connection: openRedis(place.redisUrl, options.onError) })
    : new Worker(
        name,
        run,
        { ...shared, connection: { connectionString: place.databaseUrl } },
        createPostgresBackend,
      )
  worker.on('error', options.onError)
  return worker as Worker
}

function openQueue(name: QueueName, place: QueuePlace, onError: (error: Error) => void): Queue {
  const queue = place.redisUrl
    ? new Queue(name, { connection: openRedis(place.redisUrl, onError), skipWaitingForReady: true })
    : new Queue(name, { connection: { connectionString: place.databaseUrl, max: 2 } }, createPostgresBackend)
  queue.on('error', onError)
  return queue as Queue
}

function openRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  })
  redis.on('error', onError)
  return redis
}

const ringLimitMs = 200

async function soon(ringing: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ringLimitMs, false)
  })
  const rung = ringing.then(
    () => true,
    () => false,
  )
  return Promise.race([rung, late]).finally(() => clearTimeout(timer))
}
