import type { Logger } from 'pino'
import { type ErrorCode, errors, RaffleError } from '../../core/errors.ts'
import type { ErrorBody } from '../../core/live/public.ts'
import { causesOf } from '../../core/server/time.ts'
import { isDatabaseOutage } from '../../db/index.ts'
import { pathOf } from '../server/route-table.ts'
import { requestIdOf } from './request-id.ts'

const retryAfter: Partial<Record<number, string>> = { 429: '60', 503: '2' }

/** One shape for every error; `error` is the sentence for people. */
function errorResponse(error: RaffleError, requestId: string, more: Record<string, string>): Response {
  const { code, message, field } = error
  const { status } = errors[code]
  const { retryAfterSeconds: seconds, allow, values } = error.data
  const body: ErrorBody = {
    ...{ code, error: message, message, requestId },
    ...(field !== undefined && { field }),
    ...(values !== undefined && { values: values as NonNullable<ErrorBody['values']> }),
  }
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

/**
 * The answer to anything thrown, with `more` headers: an expected error as it is, anything else as a bug that is
 * logged in full.
 */
export function answerError(
  error: unknown,
  request: Request,
  log: Pick<Logger, 'error' | 'warn'>,
  more: Record<string, string> = {},
): Response {
  const requestId = requestIdOf(request)
  const expected = asRaffleError(error)
  const about = () => ({ requestId, method: request.method, path: pathOf(request.url) })
  if (expected) {
    const { code, data } = expected
    // Something of ours is missing, and whoever runs the site must find what it is.
    if (errors[code].status === 503 && data.reason !== undefined)
      log.warn({ ...about(), code, reason: data.reason }, 'a call could not be served')
    return errorResponse(expected, requestId, more)
  }
  log.error({ ...about(), err: error }, 'unexpected error')
  return bugResponse(requestId, more)
}

/** Elysia's own input errors, for routes that leave parsing or validation to it. */
const elysiaCodes: Record<string, [ErrorCode, string]> = {
  NOT_FOUND: ['NOT_FOUND', 'There is no such call.'],
  PARSE: ['BAD_JSON', 'The body is not valid JSON.'],
  VALIDATION: ['INVALID_VALUE', 'A value is missing or not as it should be.'],
  INVALID_FILE_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'This type of file is not taken.'],
  INVALID_COOKIE_SIGNATURE: ['INVALID_VALUE', 'A cookie is not as it should be.'],
}

/** The HTTP status of an error; a bug is a 500. */
export const statusOfError = (error: unknown): number => {
  const expected = asRaffleError(error)
  return expected ? errors[expected.code].status : 500
}

/** The answer to a bug: it only carries the id under which the log has the details. */
const bugResponse = (requestId: string, more: Record<string, string>): Response =>
  Response.json(
    {
      code: 'INTERNAL',
      error: 'Something went wrong on our side.',
      message: 'Something went wrong on our side.',
      requestId,
    },
    { status: 500, headers: { ...more, 'cache-control': 'no-store', 'x-request-id': requestId } },
  )

/** The expected error in `error`, if any. A database outage counts as one: 503, and nothing was promised. */
export function asRaffleError(error: unknown): RaffleError | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof RaffleError) return cause
    // The client disconnected while sending the body: nobody reads the answer, and it is not a bug of ours.
    if (cause instanceof DOMException && cause.name === 'AbortError')
      return new RaffleError('BAD_JSON', 'The request was cut.')
    if (isDatabaseOutage(cause))
      return new RaffleError('DB_UNAVAILABLE', 'The database cannot be reached. Try again in a moment.')
    const code = (cause as { code?: unknown }).code
    if (typeof code !== 'string') continue
    const refusal = elysiaCodes[code]
    if (refusal) return new RaffleError(...refusal)
  }
  return undefined
}
