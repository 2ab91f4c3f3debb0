import { createHash } from 'node:crypto'
import { safeHeaders } from '../http/headers.ts'
import { type Packed, pack } from '../http/packed.ts'

/** A part of the public state ready to send: bytes, and headers that are built once. */
export type CachedResponse = { packed: Packed; etag: string; headers: Headers }

/** A CDN may share it for a second, and serve it longer while we are down. */
export const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30, stale-if-error=600'
/** As above, but never longer: an old wallet, a sale that is halted by now, or a rule that was switched on would cost. */
export const sharedFresh = 'public, max-age=0, s-maxage=1, must-revalidate'

const sharedHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'access-control-allow-origin': '*',
  vary: 'Accept-Encoding',
  'access-control-expose-headers': 'etag, date, x-state, x-state-version',
}

export type Stamp = { version: number; isStale: boolean; isHttps: boolean; caching: string }

/** Strong ETag of the text: equal bytes have equal tags in every process. */
export const etagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

export function makeCachedResponse(text: string, etag: string, stamp: Stamp): CachedResponse {
  return { packed: pack(text), etag, headers: cachedHeaders(etag, stamp) }
}

/** Headers of an unchanged body at another version or after it went stale. */
export const cachedHeaders = (etag: string, { version, isStale, isHttps, caching }: Stamp): Headers =>
  new Headers({
    ...safeHeaders(isHttps),
    ...sharedHeaders,
    'cache-control': caching,
    etag,
    'x-state-version': `${version}`,
    ...(isStale && { 'x-state': 'stale' }),
  })

/** Whether If-None-Match names this tag: one tag, a list, weak tags, or `*`. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })
}
