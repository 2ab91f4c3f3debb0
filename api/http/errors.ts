import { NotFoundError, ValidationError } from 'elysia'
import type { Logger } from 'pino'
import en from '../../core/error-texts/en.json'
import ko from '../../core/error-texts/ko.json'
import { errorSentence, errors, RaffleError } from '../../core/errors.ts'
import type { ErrorBody } from '../../core/live/public.ts'
import { causesOf } from '../../core/server/time.ts'
import { isDatabaseOutage } from '../../db/index.ts'
import { refusalOf } from './schema.ts'

const ids = new WeakMap<Request, string>()

/** One id per request: in the answer, the log and the audit row. */
export function requestIdOf(request: Request): string {
  const id = ids.get(request) ?? crypto.randomUUID()
  ids.set(request, id)
  return id
}

const failures = new WeakMap<Request, (error: unknown) => Promise<void>>()
/** What is to be done before a call that fails is answered: Elysia runs the whole app's hook for errors before a route's own. */
export const onFailure = (request: Request, note: (error: unknown) => Promise<void>) =>
  void failures.set(request, note)
export const noteFailure = async (request: Request, error: unknown) => failures.get(request)?.(error)

const bug = { code: 'INTERNAL' as const, field: undefined, values: {}, data: {} as Record<string, unknown> }
const retryAfter: Partial<Record<number, string>> = { 429: '60', 503: '2' }

/** One shape for every error; `error` is the sentence for people, Korean where only administrators call. */
function bodyOf(
  error: Pick<RaffleError, 'field' | 'values'> & { code: ErrorBody['code'] },
  request: Request,
) {
  const { code, field, values } = error
  const isKorean = /^\/api\/(admin|uploads)\b/.test(pathOf(request.url) ?? '')
  // SPEC has this one in English.
  const isSpecs = code === 'TRANSACTION_NOT_FOUND' && values.reason === 'transaction'
  const texts = isKorean && !isSpecs ? ko : en
  const sentence = errorSentence(texts, error) ?? code
  return {
    ...{ code, error: sentence, message: sentence, requestId: requestIdOf(request) },
    ...(field !== undefined && { field }),
    ...(Object.keys(values).length > 0 && { values }),
  } satisfies ErrorBody
}

/** The answer to anything thrown, with `more` headers: an expected error as it is, anything else as a bug
 * that is logged in full and answered with the id under which the log has it. */
export function answerError(
  error: unknown,
  request: Request,
  log: Pick<Logger, 'error' | 'warn'>,
  more: Record<string, string> = {},
): Response {
  const { code, field, values, data } = asRaffleError(error) ?? bug
  const status = statusOf(code)
  const body = bodyOf({ code, field, values }, request)
  const { requestId } = body
  const about = () => ({ requestId, method: request.method, path: pathOf(request.url) })
  if (code === 'INTERNAL') log.error({ ...about(), err: error }, 'unexpected error')
  // Something of ours is missing, and whoever runs the site must find what it is.
  else if (status === 503 && data.reason !== undefined)
    log.warn({ ...about(), code, reason: data.reason }, 'a call could not be served')
  const { retryAfterSeconds: seconds, allow } = data
  const wait = typeof seconds === 'number' ? String(seconds) : retryAfter[status]
  return Response.json(body, {
    status,
    headers: {
      ...more,
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(wait && { 'retry-after': wait }),
      ...(typeof allow === 'string' && { allow }),
    },
  })
}

export const statusOf = (code: ErrorBody['code']): number => (code === 'INTERNAL' ? 500 : errors[code].status)

/** The expected error in `error`, if any. A database outage counts as one: 503, and nothing was promised. */
export function asRaffleError(error: unknown): RaffleError | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof RaffleError) return cause
    // The client disconnected while sending the body: nobody reads the answer, and it is not a bug of ours.
    if (cause instanceof DOMException && cause.name === 'AbortError') return new RaffleError('BAD_JSON')
    if (isDatabaseOutage(cause)) return new RaffleError('DB_UNAVAILABLE', { reason: 'away' })
    if (cause instanceof ValidationError) return asRaffleError(refusalOf(cause))
    if (cause instanceof NotFoundError) return new RaffleError('NOT_FOUND', { reason: 'call' })
  }
  return undefined
}

export type KnownPath = {
  /** The path as declared, with `:name` parameters; metrics count by it. */
  pattern: string
  methods: readonly string[]
}

/** A stream has no finished answer, so it takes no HEAD. */
const headless = new Set(['/api/live'])

export function routeTable(routes: readonly { method: string; path: string }[]) {
  const byPattern = new Map<string, Set<string>>()
  for (const { method, path } of routes) {
    const methods = byPattern.get(path) ?? new Set()
    methods.add(method)
    if (method === 'GET' && !headless.has(path)) methods.add('HEAD')
    byPattern.set(path, methods.add('OPTIONS'))
  }
  const fixed = new Map<string, KnownPath>()
  const varying: { regex: RegExp; known: KnownPath }[] = []
  for (const [pattern, methods] of byPattern) {
    const known = { pattern, methods: [...methods] }
    if (/[:*]/.test(pattern)) varying.push({ regex: toRegex(pattern), known })
    else fixed.set(pattern, known)
  }
  return (path: string): KnownPath | undefined => {
    const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    return fixed.get(plain) ?? varying.find(({ regex }) => regex.test(plain))?.known
  }
}

const toRegex = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^$()|[\]{}\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  )

/** The path of a request's URL as sent; undefined if it cannot be decoded. */
export function pathOf(url: string): string | undefined {
  // Bun leaves out the host if the Host header is malformed.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return undefined
  }
}
