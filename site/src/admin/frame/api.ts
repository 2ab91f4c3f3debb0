import { apiBase } from '../../shell/api.ts'
import { readToken } from './token.ts'

/** A refused call. The message is the status, a colon, and the body's text. */
export class AdminError extends Error {
  override name = 'AdminError'
  readonly status: number
  readonly code: string | undefined
  /** The server's sentence for people. */
  readonly text: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: string, retryAfterMs?: number) {
    super(`${status}: ${body}`)
    const { code, error } = parse(body)
    this.status = status
    this.code = typeof code === 'string' ? code : undefined
    this.text = typeof error === 'string' && error !== '' ? error : undefined
    this.retryAfterMs = retryAfterMs
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type CallOptions = { body?: unknown; signal?: AbortSignal | undefined; timeoutMs?: number }

/** The answer as it comes, good or not; rejects only when there is none. Bearer alone: no cookie is sent. */
export function ask(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, signal, timeoutMs = 30_000 } = options
  const token = readToken()
  const timeout = AbortSignal.timeout(timeoutMs)
  return fetch(apiBase + path, {
    method,
    cache: 'no-store',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
}

/** The JSON of an answer; throws AdminError for a refusal. */
export async function readAnswer<T>(response: Response): Promise<T> {
  if (!response.ok) throw await refusalOf(response)
  const text = await response.text()
  return (text === '' ? null : JSON.parse(text)) as T
}

export async function refusalOf(response: Response): Promise<AdminError> {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after'))
  return new AdminError(
    response.status,
    text || response.statusText,
    seconds > 0 ? seconds * 1000 : undefined,
  )
}

function parse(text: string): { code?: unknown; error?: unknown } {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body ? body : {}
  } catch {
    return {}
  }
}
