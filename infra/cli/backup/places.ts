import { createReadStream, createWriteStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openBucket } from '../../../core/server/bucket.ts'
import { readBackupName } from './names.ts'
import { toNode } from './streams.ts'

/** Where backups are kept. Names that are not of a backup are neither listed nor deleted. */
export type Place = {
  list: () => Promise<string[]>
  open: (name: string) => Promise<Readable>
  remove: (name: string) => Promise<void>
}

export type Directory = Place & {
  /** The file has its name only when it is whole and on the disk. Returns its size. */
  write: (name: string, content: Readable) => Promise<number>
  path: (name: string) => string
}

const halfEnd = '.part'

export function inDirectory(directory: string): Directory {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = (name: string): string => join(directory, name)
  return {
    path,
    async list() {
      return readdirSync(directory).filter(readBackupName)
    },
    async write(name, content) {
      // What a killed service left half written.
      for (const left of readdirSync(directory))
        if (left.endsWith(halfEnd) && readBackupName(left.slice(0, -halfEnd.length))) rmSync(path(left))
      const half = path(name + halfEnd)
      const file = createWriteStream(half, { mode: 0o600, flush: true })
      try {
        await pipeline(content, file)
      } catch (error) {
        rmSync(half, { force: true })
        throw error
      }
      renameSync(half, path(name))
      return file.bytesWritten
    },
    open: async (name) => createReadStream(path(name)),
    remove: async (name) => rmSync(path(name), { force: true }),
  }
}

export type Bucket = Place & {
  /** A bucket shows an object when all of it has arrived. Returns its size there. */
  send: (name: string, file: string) => Promise<number>
  host: string
}

const answerWithinMs = 60_000
const sendWithinMs = 3_600_000

/** As STORAGE_URL names one. */
export function inBucket(text: string): Bucket {
  const { client, folder, host, inTime: within } = openBucket(new URL(text))
  const inTime = <T>(asked: Promise<T>, ms = answerWithinMs): Promise<T> => within(asked, ms)
  return {
    host,
    async list() {
      const names: string[] = []
      for (let startAfter: string | undefined; ; ) {
        const page = await inTime(client.list({ prefix: folder, ...(startAfter && { startAfter }) }))
        const keys = page.contents?.map(({ key }) => key) ?? []
        names.push(...keys.map((key) => key.slice(folder.length)).filter(readBackupName))
        if (!page.isTruncated || keys.length === 0) return names
        startAfter = keys.at(-1)
      }
    },
    async send(name, file) {
      await inTime(client.write(folder + name, Bun.file(file)), sendWithinMs)
      return (await inTime(client.stat(folder + name))).size
    },
    open: async (name) => toNode(client.file(folder + name).stream()),
    remove: async (name) => inTime(client.delete(folder + name)),
  }
}
