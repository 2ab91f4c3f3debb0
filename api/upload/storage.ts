import { link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RaffleError } from '../../core/errors.ts'
import { openBucket } from '../../core/server/concurrency.ts'

/** Storage of prize images. Keys are our own random names, never a visitor's text. */
export type Storage = {
  /** Never over another one: throws UPLOAD_USED, as an event may have promised the image that is there. */
  save: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>
  /** Undefined if there is nothing under this key. */
  open: (key: string) => Promise<Blob | undefined>
}

/** `file:///directory`, or `s3://key:secret@host[:port]/bucket?region=…` (`insecure=true` for http; else the
 * usual AWS variables). Longer than `deadlineMs` is BUSY. */
export function openStorage(url: string, deadlineMs = 15_000): Storage {
  return url.startsWith('s3:') ? inBucket(new URL(url), deadlineMs) : inDirectory(fileURLToPath(url))
}

function inDirectory(directory: string): Storage {
  return {
    async save(key, bytes) {
      await mkdir(directory, { recursive: true })
      // Put into place when complete, so that half an image is never served.
      const half = join(directory, `${key}.${crypto.randomUUID()}`)
      await Bun.write(half, bytes)
      try {
        await link(half, join(directory, key))
      } catch (error) {
        throw (error as { code?: string }).code === 'EEXIST' ? isThere() : error
      } finally {
        await rm(half)
      }
    },
    async open(key) {
      const file = Bun.file(join(directory, key))
      return (await file.exists()) ? file : undefined
    },
  }
}

function inBucket(url: URL, deadlineMs: number): Storage {
  const { client, folder, inTime: within } = openBucket(url)
  const inTime = <T>(asked: Promise<T>): Promise<T> => within(asked, deadlineMs)
  return {
    async save(key, bytes, contentType) {
      if (await inTime(client.exists(folder + key)).catch(unavailable)) throw isThere()
      await inTime(client.write(folder + key, bytes, { type: contentType })).catch(unavailable)
    },
    async open(key) {
      // Read whole (at most 5 MiB), so a bucket that fails midway becomes a 503 instead of half an image.
      const bytes = await inTime(client.file(folder + key).bytes()).catch((error) => {
        if ((error as { code?: string }).code === 'NoSuchKey') return undefined
        throw unavailable(error)
      })
      return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>])
    },
  }
}

const isThere = (): RaffleError => new RaffleError('UPLOAD_USED')

function unavailable(error: unknown): never {
  throw new RaffleError('BUSY', { reason: 'storage', data: { cause: (error as Error).message } })
}
