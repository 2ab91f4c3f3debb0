import { t, wordFor } from '../texts/index.ts'
import type { Answer, Body, Path } from './answers.ts'

export const apiBase = (import.meta.env.PUBLIC_API_URL ?? '').replace(/\/$/, '')

/** A refused call. The message is the status, a colon, and the body's text. */
export class ApiError extends Error {
  readonly status: number
  readonly detail: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: number, text: string, retryAfterMs?: number) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.detail = messageIn(text)
    this.retryAfterMs = retryAfterMs
  }
}

/** What a response carries besides its value: the server's clock, the version of the public state, the next page. */
export type ResponseMeta = {
  now: number | undefined
  version: number | undefined
  next: string | undefined
}

/** Public calls carry no secret, and caches may share the answers. */
export async function getJson<P extends Path<'get'>>(
  path: P,
  signal?: AbortSignal,
  query = '',
): Promise<{ value: Answer<'get', P> } & ResponseMeta> {
  // `no-cache` lets the browser ask with If-None-Match and hand out its own copy on a 304.
  const response = await fetch(apiBase + path + query, {
    credentials: 'same-origin',
    cache: 'no-cache',
    signal: within(signal),
  })
  const date = Date.parse(response.headers.get('date') ?? '')
  const version = Number(response.headers.get('x-state-version') ?? Number.NaN)
  return {
    value: (await read(response)) as Answer<'get', P>,
    now: Number.isNaN(date) ? undefined : date,
    version: Number.isNaN(version) ? undefined : version,
    next: /(\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
  }
}

export async function postJson<P extends Path<'post'>>(
  path: P,
  body: Body<'post', P>,
): Promise<Answer<'post', P>> {
  const response = await fetch(apiBase + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: within(),
  })
  return (await read(response)) as Answer<'post', P>
}

/** Older browsers know no `any`: there what is let go of ends by itself. */
function within(signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(15_000)
  return signal && 'any' in AbortSignal ? AbortSignal.any([signal, late]) : late
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.ok) return text === '' ? null : JSON.parse(text)
  const seconds = Number(response.headers.get('retry-after'))
  throw new ApiError(response.status, text || response.statusText, seconds > 0 ? seconds * 1000 : undefined)
}

/** The sentence in the page's language where it has the error code, else the server's own. */
function messageIn(text: string): string | undefined {
  try {
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown }
    const known = wordFor(t.errors, String(code))
    return known ?? (typeof message === 'string' ? message : undefined)
  } catch {
    return undefined
  }
}
