import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { S3Client } from 'bun'
import { RaffleError } from '../../core/errors.ts'
import { withDeadline } from '../../core/server/time.ts'

/** Storage of prize images. Keys are our own random names, never a visitor's text. */
export type Storage = {
  save: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>
  /** Undefined if there is nothing under this key. */
  open: (key: string) => Promise<Blob | undefined>
}

/**
 * STORAGE_URL: `file:///directory`, or `s3://key:secret@host[:port]/bucket?region=…` (`insecure=true` for
 * http). Without key and secret the usual AWS variables apply. A request longer than `deadlineMs` is BUSY.
 */
export function openStorage(url: string, deadlineMs = 15_000): Storage {
  return url.startsWith('s3:') ? inBucket(new URL(url), deadlineMs) : inDirectory(fileURLToPath(url))
}

function inDirectory(directory: string): Storage {
  return {
    async save(key, bytes) {
      await mkdir(directory, { recursive: true })
      // Moved into place when complete, so that half an image is never served.
      const half = join(directory, `${key}.${crypto.randomUUID()}`)
      await Bun.write(half, bytes)
      await rename(half, join(directory, key))
    },
    async open(key) {
      const file = Bun.file(join(directory, key))
      return (await file.exists()) ? file : undefined
    },
  }
}

function inBucket({ username, password, host, pathname, searchParams }: URL, deadlineMs: number): Storage {
  const scheme = searchParams.get('insecure') === 'true' ? 'http' : 'https'
  const bucket = pathname.slice(1).replace(/\/$/, '')
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
  const inTime = <T>(asked: Promise<T>): Promise<T> =>
    withDeadline(deadlineMs, asked, () => {
      throw new Error('the bucket does not answer')
    })
  return {
    async save(key, bytes, contentType) {
      await inTime(client.write(key, bytes, { type: contentType })).catch(unavailable)
    },
    async open(key) {
      // Read whole (at most 5 MiB), so a bucket that fails midway becomes a 503 instead of half an image.
      const bytes = await inTime(client.file(key).bytes()).catch((error) => {
        if ((error as { code?: string }).code === 'NoSuchKey') return undefined
        throw unavailable(error)
      })
      return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>])
    },
  }
}

function unavailable(error: unknown): never {
  throw new RaffleError('BUSY', 'The image storage cannot be reached. Try again in a moment.', {
    cause: (error as Error).message,
  })
}
