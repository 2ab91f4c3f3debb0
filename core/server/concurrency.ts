import { S3Client } from 'bun'
import { withDeadline } from './time.ts'

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
export async function mapLimit<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  // One generator for all: the loop that a failure breaks ends it for the others too.
  const left = (function* () {
    yield* items.entries()
  })()
  const take = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
  return results
}

/** All who ask while `work` is under way share its next run: nobody is told what was true before he asked. */
export function sharing<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    if (!next) {
      next = last.then(() => {
        next = undefined
        return work()
      })
      last = next.catch(() => undefined)
    }
    return next
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
