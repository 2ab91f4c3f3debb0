import { type JobsOptions, Queue, Worker } from 'bullmq'
import { type JobName, type Jobs, type QueueName, queueNames, queueOf, retriesOf } from '../jobs.ts'
import { consumerRedis, type OnError, producerRedis, type QueueConnection } from './queue-connection.ts'
import { openUntilReady, postgresBackend, postgresConnection, postgresWorker } from './queue-postgres.ts'
import { realClock, withDeadline } from './time.ts'

export type JobQueue = ReturnType<typeof connectJobs>

/** Finished jobs are removed: the row is the record, and the id can be added again. */
const forget: JobsOptions = { removeOnComplete: true, removeOnFail: true }

type Producer = ReturnType<typeof openProducer>

/** Connects to every queue to add jobs. `onError` gets lost connections, which reconnect by themselves. */
export function connectJobs(place: QueueConnection, onError: OnError) {
  const producers = new Map(queueNames.map((name) => [name, openProducer(name, place, onError)]))
  const clock = { ...realClock, ...place.pace }
  const ask = async <T>(question: (queue: Queue) => Promise<T>) => {
    const answers = queueNames.map(async (name) => {
      const { queue, isUp } = producers.get(name) as Producer
      if (!isUp()) return [name, undefined] as const
      const answer = queue()
        .then(question)
        .catch(() => undefined)
      return [name, await withDeadline(askLimitMs, answer, () => undefined, clock)] as const
    })
    return Object.fromEntries(await Promise.all(answers)) as Record<QueueName, T | undefined>
  }
  return {
    /** Adds a job within 200 ms; false if it could not. A failure loses nothing: the sweeper finds the row. */
    enqueue: async <N extends JobName>(
      name: N,
      payload: Jobs[N],
      options?: JobsOptions,
    ): Promise<boolean> => {
      const { queue, isUp } = producers.get(queueOf[name]) as Producer
      if (!isUp()) return false
      const added = queue()
        .then((open) => open.add(name, payload, { ...forget, ...retriesOf[name], ...options }))
        .then(
          () => true,
          () => false,
        )
      return withDeadline(enqueueLimitMs, added, () => false)
    },
    /** Of each queue, and for how long its oldest waiting job has waited; undefined where it does not answer. */
    counts: () =>
      ask(async (queue) => {
        const counts = await queue.getJobCounts('wait', 'active', 'delayed')
        const { wait: waiting = 0, active = 0, delayed = 0 } = counts
        const [oldest] = await queue.getJobs(['wait'], 0, 0, true)
        const oldestSeconds = oldest ? Math.max(0, Date.now() - oldest.timestamp) / 1_000 : 0
        return { waiting, active, delayed, oldestSeconds }
      }),
    /** What Redis uses of what it may use; undefined without Redis, while it does not answer, or without a limit. */
    memory: async () => {
      const [first] = producers.values()
      const info = first?.isUp() ? await first.memoryInfo().catch(() => undefined) : undefined
      const bytes = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info ?? '')?.[1] ?? 0)
      const limitBytes = bytes('maxmemory')
      return limitBytes > 0 ? { usedBytes: bytes('used_memory'), limitBytes } : undefined
    },
    close: async () => {
      await Promise.allSettled([...producers.values()].map((producer) => producer.close()))
    },
  }
}

/** Runs jobs of one queue, `concurrency` at a time; `work` is a plain function of name and payload. */
export function openWorker(
  name: QueueName,
  place: QueueConnection,
  work: (job: JobName, payload: unknown) => Promise<unknown>,
  { concurrency, onError }: { concurrency: number; onError: OnError },
) {
  const run = (job: { name: string; data: unknown }) => work(job.name as JobName, job.data)
  const options = { concurrency, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }
  if (!place.redisUrl) {
    const connection = postgresConnection(place)
    const settings = { ...options, ...postgresWorker, connection, autorun: false }
    const open = () => new Worker(name, run, settings, postgresBackend(place.pace))
    const { ready, close } = openUntilReady(() => open().on('error', onError), onError, place.pace)
    ready
      .then(
        (worker) => worker.run(),
        () => undefined,
      )
      .catch(onError)
    return { ready: async () => void (await ready), close }
  }
  const redis = consumerRedis(place.redisUrl, onError)
  const worker = new Worker(name, run, { ...options, connection: redis })
  worker.on('error', onError)
  return {
    ready: async () => void (await worker.waitUntilReady()),
    close: async () => {
      // Without Redis the worker cannot close cleanly; the sweeper adds its active jobs again by their rows.
      await worker.close(redis.status !== 'ready')
      redis.disconnect()
    },
  }
}

function openProducer(name: QueueName, place: QueueConnection, onError: OnError) {
  if (!place.redisUrl) {
    const connection = postgresConnection(place)
    const open = () => new Queue(name, { connection }, postgresBackend(place.pace))
    const { ready, isRefused, close } = openUntilReady(() => open().on('error', onError), onError, place.pace)
    return {
      queue: async () => (await ready) as unknown as Queue,
      memoryInfo: async () => undefined,
      isUp: () => !isRefused(),
      close: () => closeSoon(close),
    }
  }
  const redis = producerRedis(place.redisUrl, onError)
  // It would ask a new connection for the version, and after one that was lost then it would never work again.
  const queue = new Queue(name, { connection: redis, skipVersionCheck: true })
  queue.on('error', onError)
  return {
    queue: async () => queue,
    memoryInfo: () => redis.info('memory'),
    isUp: () => redis.status === 'ready',
    close: () => {
      redis.disconnect()
      return closeSoon(() => queue.close())
    },
  }
}

const closeSoon = async (close: () => Promise<unknown>): Promise<void> => {
  await withDeadline(1_000, close(), () => undefined).catch(() => undefined)
}

const enqueueLimitMs = 200
const askLimitMs = 5_000
