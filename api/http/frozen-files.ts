import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { openBucket } from '../../core/server/concurrency.ts'
import type { Deps } from '../deps.ts'
import { type Call, visitors } from './client-address.ts'
import { matches } from './ready.ts'

type Frozen = {
  name: string
  sha256: string
  eachPage: (take: (text: string) => Promise<void>) => Promise<void>
}
type Place = {
  has: (key: string) => Promise<boolean>
  /** Writes what does not have this SHA-256 under no name. */
  lay: (key: string, file: Frozen) => Promise<void>
  body: (key: string) => Bun.BunFile | ReadableStream
  /** Files that a web server may send by itself. */
  isShared: boolean
}

/** Below the uploads, in a folder or a bucket. */
const folder = 'frozen'

/** Public files that never change, laid beside the uploads when somebody asks. The web server sends the bytes
 * (infra/caddy), where a proxy of ours says that it can. */
export function frozenFiles({ admin, addresses, log }: Pick<Deps, 'admin' | 'addresses' | 'log'>) {
  const { storageUrl } = admin
  const place = storageUrl.startsWith('s3:') ? inBucket(storageUrl) : inFolder(storageUrl, log)
  const making = new Map<string, Promise<void>>()
  const { isPassedOn } = visitors(addresses)

  async function make(key: string, file: Frozen): Promise<void> {
    if (await place.has(key)) return
    const begun = making.get(key) ?? place.lay(key, file).finally(() => making.delete(key))
    making.set(key, begun)
    await begun
  }

  return async (call: Call, file: Frozen): Promise<Response> => {
    const { headers: asked } = call.request
    const { name, sha256 } = file
    const etag = `"${sha256}"`
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'public, max-age=0, s-maxage=60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag',
      'x-content-type-options': 'nosniff',
      etag,
    }
    if (matches(asked.get('if-none-match') ?? '', etag)) return new Response(null, { status: 304, headers })
    const key = `${sha256.slice('0x'.length)}.csv`
    await make(key, file)
    const isAsked = asked.get('x-sendfile-type') === 'X-Accel-Redirect'
    if (isAsked && place.isShared && isPassedOn(call))
      return new Response(null, { headers: { ...headers, 'x-accel-redirect': `/${folder}/${key}` } })
    return new Response(place.body(key), { headers })
  }
}

function inFolder(storageUrl: string, log: Deps['log']): Place {
  const dir = join(fileURLToPath(storageUrl), folder)
  const pathOf = (key: string) => join(dir, key)
  return {
    isShared: true,
    has: (key) => Bun.file(pathOf(key)).exists(),
    body: (key) => Bun.file(pathOf(key)),
    async lay(key, file) {
      await mkdir(dir, { recursive: true })
      const half = `${pathOf(key)}.${crypto.randomUUID()}`
      try {
        await write(Bun.file(half).writer(), file)
        await settle(half, pathOf(key))
      } finally {
        await rm(half, { force: true })
      }
      compress(pathOf(key)).catch((err) =>
        log.warn({ err, key }, 'a frozen file stays larger than it could be'),
      )
    },
  }
}

function inBucket(storageUrl: string): Place {
  const bucket = openBucket(new URL(storageUrl))
  const fileOf = (key: string) => bucket.client.file(`${bucket.folder}${folder}/${key}`)
  return {
    isShared: false,
    has: (key) => bucket.inTime(fileOf(key).exists(), 15_000),
    body: (key) => fileOf(key).stream(),
    lay: (key, file) => write(fileOf(key).writer({ type: 'text/csv' }), file),
  }
}

type Sink = Pick<Bun.FileSink, 'write' | 'flush' | 'end'>

/** What is not ended stands under no name. */
async function write(sink: Sink, { name, sha256, eachPage }: Frozen): Promise<void> {
  const hash = createHash('sha256')
  await eachPage(async (text) => {
    hash.update(text)
    sink.write(text)
    await sink.flush()
  })
  if (`0x${hash.digest('hex')}` !== sha256) throw new Error(`${name} is not what was frozen`)
  await sink.end()
}

/** Gives a file its name once the disk has it: a name outlives a loss of power, and nobody looks into the file again. */
async function settle(half: string, path: string): Promise<void> {
  const file = await open(half)
  await file.sync().finally(() => file.close())
  await rename(half, path)
}

/** Beside the file, in threads, for a web server that sends what is there. */
async function compress(path: string): Promise<void> {
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  for (const [ending, small] of [
    ['br', createBrotliCompress(quick)],
    ['gz', createGzip()],
  ] as const) {
    const half = `${path}.${crypto.randomUUID()}`
    await pipeline(createReadStream(path), small, createWriteStream(half))
    await settle(half, `${path}.${ending}`)
  }
}
