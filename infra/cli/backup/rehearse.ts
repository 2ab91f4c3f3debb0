import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import postgres from 'postgres'
import { dump } from './dump.ts'
import { load } from './load.ts'
import { unsealed } from './seal.ts'
import { differences, Tally } from './tally.ts'

const hourMs = 3_600_000
const scratchName = 'blockdraw_rehearsal_'

type Options = {
  /** The backup as it is kept. */
  content: Readable
  /** A key that opens it. */
  identity: string
  /** What the rows added up to when it was made. */
  expected: Tally
  /** A database of the server on which the copy is made. */
  serverUrl: string
  /** A bucket may stop in the middle of a download without an end. */
  readWithinMs?: number
}

/**
 * Restores a backup into a new database of `serverUrl`, compares all rows, and drops it. Null when everything is as
 * it was, else what differs. Throws when it cannot be restored at all.
 */
export async function rehearse({
  content,
  identity,
  expected,
  serverUrl,
  readWithinMs = hourMs,
}: Options): Promise<string | null> {
  const server = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  const name = scratchName + randomBytes(6).toString('hex')
  try {
    await dropLeftovers(server)
    await server.unsafe(`create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    const text = createGunzip()
    const reading = unsealed(content, [identity]).then((plain) => pipeline(plain, text))
    reading.catch((error) => text.destroy(error))
    const late = setTimeout(() => text.destroy(new Error('the backup was not read in time')), readWithinMs)
    await Promise.all([load(url.href, text, { asIs: true }), reading]).finally(() => clearTimeout(late))
    const found = new Tally()
    for await (const _ of dump(url.href, undefined, found));
    return differences(expected, found).join('; ') || null
  } finally {
    // Without force first: by force even a vacuum of the server would have to be ended, which takes more rights.
    await server
      .unsafe(`drop database if exists ${name}`)
      .catch(() => server.unsafe(`drop database if exists ${name} with (force)`))
      .catch(() => undefined)
    await server.end({ timeout: 5 })
  }
}

/** Of a service that was killed meanwhile; one that is in use is not dropped. */
async function dropLeftovers(server: postgres.Sql): Promise<void> {
  const left = await server<{ name: string }[]>`
    select datname as name from pg_database where datname ~ ${`^${scratchName}[0-9a-f]{12}$`}`
  for (const { name } of left) await server.unsafe(`drop database if exists ${name}`).catch(() => undefined)
}
