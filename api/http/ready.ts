import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type DetailsOf, RaffleError } from '../../core/errors.ts'

/** A text ready to send: its bytes, what is fewer of them once that is there, its tag, and headers that are
 * built once. T is what its JSON holds, for types alone. */
export type Ready<T = Response> = {
  plain: Uint8Array<ArrayBuffer>
  br?: Uint8Array<ArrayBuffer>
  gzip?: Uint8Array<ArrayBuffer>
  etag: string
  headers: Headers
  '~json'?: T
}
/** A response whose body is the JSON of a T. */
export type Sent<T> = Response & { readonly '~json': T }
export const sent = <T>(value: T, init: ResponseInit) => Response.json(value, init) as Sent<T>

/** A CDN may share it for a second, and serve it longer while we are down. */
export const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30, stale-if-error=600'
/** As above, but never longer: an old wallet, a sale that is halted by now, or a rule that was switched on would cost. */
export const sharedFresh = 'public, max-age=0, s-maxage=1, must-revalidate'
export const forNow = 'public, max-age=0, s-maxage=1, stale-if-error=600'
export const forGood = 'public, max-age=31536000, immutable'

/** In bytes. A smaller text fits into one packet. */
const least = 600
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Strong ETag of the text: equal bytes have equal tags in every process. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

/** Compresses once, in a thread; the plain bytes are sent until then. */
export function ready<T = Response>(
  text: string,
  headers: Record<string, string> = {},
  etag = etagOf(text),
): Ready<T> {
  const made: Ready<T> = { plain: new TextEncoder().encode(text), etag, headers: readyHeaders(etag, headers) }
  if (made.plain.length >= least) compress(made).catch(() => undefined)
  return made
}

/** As `ready`, compressed before anybody gets it: a CDN keeps what it is given. */
export async function readyPage(text: string, headers: Record<string, string>): Promise<Ready> {
  const plain = new TextEncoder().encode(text)
  const etag = `"${createHash('sha256').update(plain).digest('hex')}"`
  const made: Ready = { plain, etag, headers: readyHeaders(etag, headers) }
  await compress(made)
  return made
}

/** JSON of a value; `next` is the address of the next page. */
export const readyJson = <T>(value: T, caching: string, next?: string): Ready<T> =>
  ready(JSON.stringify(value), {
    'cache-control': caching,
    ...(next && { link: `<${next}>; rel="next"`, 'access-control-expose-headers': 'link' }),
  })

/** Whatever is sent, caches keep one of each encoding. */
export const readyHeaders = (etag: string, more: Record<string, string>): Headers =>
  new Headers({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding', etag, ...more })

async function compress(made: Ready<unknown>): Promise<void> {
  const [br, small] = await Promise.all([
    promisify(brotliCompress)(made.plain, quick),
    promisify(gzip)(made.plain),
  ])
  made.br = new Uint8Array(br)
  made.gzip = new Uint8Array(small)
}

/** The bytes for this caller, or 304 where he has them. */
export const answerReady = <T>({ headers }: Request, made: Ready<T>) => bytesFor(headers, made) as Sent<T>

function bytesFor(asked: Headers, made: Ready<unknown>): Response {
  const { headers } = made
  const ifNoneMatch = asked.get('if-none-match')
  if (ifNoneMatch !== null && matches(ifNoneMatch, made.etag))
    return new Response(null, { status: 304, headers })
  const accepted = asked.get('accept-encoding')
  if (accepted !== null && made.br)
    for (const encoding of ['br', 'gzip'] as const) {
      const body = made[encoding]
      if (!body || !accepts(accepted, encoding)) continue
      const own = new Headers(headers)
      own.set('content-encoding', encoding)
      return new Response(body, { headers: own })
    }
  return new Response(made.plain, { headers })
}

export type NotFound = DetailsOf<'NOT_FOUND'>['reason']
/** The same of what may not be there. Throws NOT_FOUND. */
export function answerFound<T>(request: Request, found: Ready<T> | undefined, reason: NotFound): Sent<T> {
  if (!found) throw new RaffleError('NOT_FOUND', { reason })
  return answerReady(request, found)
}

export const accepts = (accepted: string, encoding: string): boolean =>
  accepted.split(',').some((part) => {
    const [name, quality] = part.trim().split(/\s*;\s*q=/)
    return name === encoding && Number(quality ?? 1) > 0
  })

/** Whether If-None-Match names this tag: one tag, a list, weak tags, or `*`. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}

const rememberedKeys = 500
const notYetMs = 500

function put<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  known.delete(key)
  known.set(key, value)
  if (known.size > rememberedKeys) known.delete(known.keys().next().value as Key)
}

/** Caches a value a key as long as `version` says the same, missing ones too; all who ask meanwhile share one
 * load. While the database is gone the last value is served. */
export function rememberByVersion<T>(version: () => number, load: (key: number) => Promise<T>) {
  type Entry = { version: number; value: Promise<T>; before: T | undefined }
  const known = new Map<number, Entry>()

  return async (key: number): Promise<T> => {
    const entry = known.get(key)
    const wanted = version()
    if (entry && entry.version === wanted) return entry.value
    const before = entry && (await entry.value.catch(() => entry.before))
    // Somebody else may have begun meanwhile.
    const newer = known.get(key)
    if (newer && newer !== entry && newer.version >= wanted) return newer.value
    const fresh: Entry = { version: wanted, before, value: load(key) }
    put(known, key, fresh)
    try {
      return await fresh.value
    } catch (error) {
      // Asked again by the next one.
      fresh.version = -1
      if (before !== undefined) return before
      throw error
    }
  }
}

/** Caches what is found for good; what is missing is loaded at most twice a second. */
export function remember<Key extends number | string, T>(load: (key: Key) => Promise<Ready<T> | undefined>) {
  const known = new Map<Key, { until: number; value: Promise<Ready<T> | undefined> }>()
  return async (key: Key): Promise<Ready<T> | undefined> => {
    const entry = known.get(key)
    if (entry && performance.now() < entry.until) return entry.value
    const fresh = { until: performance.now() + notYetMs, value: load(key) }
    put(known, key, fresh)
    void fresh.value.then(
      (loaded) => {
        if (loaded) fresh.until = Number.POSITIVE_INFINITY
      },
      () => known.delete(key),
    )
    return fresh.value
  }
}
