import { S3Client } from 'bun'
import { type Clock, realClock, withDeadline } from './time.ts'

type Room = {
  maxWaiting: number
  refuse: () => Error
}

/** Runs what it is given, `atOnce` at a time, in the order of the calls; without `room` any number may wait. */
export function limit(atOnce: number, room?: Room): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running++
    else {
      if (room && waiting.length >= room.maxWaiting) throw room.refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The slot is handed on, so that no later call takes it from one that waits.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Results in the order of `items`, `atOnce` of them being worked on at a time; after a failure none is begun. */
export function mapLimit<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const run = limit(atOnce)
  let failure: { error: unknown } | undefined
  const one = async (item: T): Promise<R> => {
    if (failure) throw failure.error
    try {
      return await work(item)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  return Promise.all(items.map((item) => run(() => one(item))))
}

type Waiting<I, O> = { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void }

const batchEveryMs = 10

/** One batch every 10 ms at most, of all who came before. One caller goes on at each turn of the event loop. */
export function batch<I, O>(
  run: (items: I[]) => Promise<readonly O[]>,
  { now, sleep }: Clock = realClock,
): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = []
  let isRunning = false
  let lastAt = Number.NEGATIVE_INFINITY

  async function work(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const earlyMs = lastAt + batchEveryMs - now()
      if (earlyMs > 0) await sleep(earlyMs)
      const group = waiting
      waiting = []
      lastAt = now()
      try {
        const answers = await run(group.map(({ item }) => item))
        await oneATurn(group, ({ resolve }, index) => resolve(answers[index] as O))
      } catch (error) {
        await oneATurn(group, ({ reject }) => reject(error))
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void work()
    })
}

async function oneATurn<T>(group: readonly T[], answer: (one: T, index: number) => void): Promise<void> {
  for (const [index, one] of group.entries()) {
    answer(one, index)
    if (index < group.length - 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Of `s3://key:secret@host[:port]/bucket[/folder]?region=…` (`insecure=true` for http), or the usual AWS variables. `folder` is
 * empty or ends with a slash.
 */
export function openBucket({ username, password, host, pathname, searchParams }: URL) {
  const scheme = searchParams.get('insecure') === 'true' ? 'http' : 'https'
  const [bucket = '', ...folders] = pathname.split('/').filter(Boolean)
  const client = new S3Client({
    endpoint: `${scheme}://${host}`,
    bucket,
    region: searchParams.get('region') ?? 'auto',
    ...(username && {
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    }),
  })
  /** Bun's client waits for ever for a bucket that does not answer. */
  const inTime = <T>(asked: Promise<T>, ms: number): Promise<T> =>
    withDeadline(ms, asked, () => {
      throw new Error(`the bucket at ${host} does not answer`)
    })
  return { client, inTime, host, folder: folders.map((part) => `${part}/`).join('') }
}
