import { etagOf, matches } from '../live/cached-response.ts'
import { type Packed, pack, unpack } from './packed.ts'

export type CachedText = { packed: Packed; etag: string; next?: string | undefined }

/** `next`: the address of the next page. */
export const cachedText = (value: unknown, next?: string): CachedText => {
  const text = JSON.stringify(value)
  return { packed: pack(text), etag: etagOf(text), next }
}

/** The text, or 304 where the caller has it. */
export function answerCached(
  request: Request,
  { packed, etag, next }: CachedText,
  cacheControl: string,
): Response {
  const headers = new Headers({
    ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl, etag },
    vary: 'Accept-Encoding',
    ...(next && { link: `<${next}>; rel="next"`, 'access-control-expose-headers': 'link' }),
  })
  return matches(request.headers.get('if-none-match') ?? '', etag)
    ? new Response(null, { status: 304, headers })
    : unpack(request, packed, headers)
}

const notYetMs = 500
const rememberedKeys = 500

/**
 * Caches found values, for good or as long as `version` says the same; missing ones are loaded at most twice a second.
 */
export function remember<Key extends number | string = number>(
  load: (key: Key) => Promise<CachedText | undefined>,
  version: () => number = () => 0,
) {
  type Entry = { until: number; version: number; value: Promise<CachedText | undefined> }
  const known = new Map<Key, Entry>()
  return async (key: Key): Promise<CachedText | undefined> => {
    const entry = known.get(key)
    if (entry && performance.now() < entry.until && entry.version === version()) return entry.value
    const value = load(key)
    const fresh = { until: performance.now() + notYetMs, version: version(), value }
    known.delete(key)
    known.set(key, fresh)
    if (known.size > rememberedKeys) known.delete(known.keys().next().value as Key)
    void value.then(
      (loaded) => {
        if (loaded) fresh.until = Number.POSITIVE_INFINITY
      },
      () => known.delete(key),
    )
    return value
  }
}
