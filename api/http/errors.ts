import type { Logger } from 'pino'
import { type ErrorCode, RaffleError } from '../../core/errors.ts'
import type { ErrorBody } from '../../core/public.ts'
import { causesOf } from '../../core/server/time.ts'
import { isDatabaseOutage } from '../../db/outage.ts'
import { pathOf } from '../server/route-table.ts'
import { requestIdOf } from './request-id.ts'

const statusOf: Record<ErrorCode, number> = {
  BAD_JSON: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  OTP_REQUIRED: 401,
  INVALID_OTP: 401,
  IP_NOT_ALLOWED: 403,
  ORIGIN_DENIED: 403,
  REAUTH_REQUIRED: 403,
  WRONG_PASSWORD: 403,
  UPLOAD_DENIED: 403,
  NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  NO_WINNER: 404,
  METHOD_NOT_ALLOWED: 405,
  BODY_TIMEOUT: 408,
  TX_PENDING: 409,
  EVENT_LOCKED: 409,
  SALES_OPEN: 409,
  MIN_REACHED: 409,
  WOULD_LOCK_OUT: 409,
  OTP_NOT_SET_UP: 409,
  UPLOAD_USED: 409,
  WALLET_PINNED: 409,
  VERSION_CONFLICT: 409,
  ALREADY_PROCESSED: 409,
  OUTSIDE_SALE_WINDOW: 409,
  DRAW_NOT_DUE: 409,
  MIN_NOT_REACHED: 409,
  ALREADY_DRAWN: 409,
  REFUND_MODE: 409,
  WINNER_EXISTS: 409,
  REFUND_TOTALS_CHANGED: 409,
  NOTHING_TO_REFUND: 409,
  LENGTH_REQUIRED: 411,
  BODY_TOO_LARGE: 413,
  URL_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED: 421,
  UNKNOWN_FIELD: 422,
  INVALID_TX_HASH: 422,
  INVALID_WALLET: 422,
  INVALID_QUANTITY: 422,
  INVALID_AMOUNT: 422,
  INVALID_VALUE: 422,
  INVALID_URL: 422,
  INVALID_IP: 422,
  IP_TOO_BROAD: 422,
  INVALID_OTP_FORMAT: 422,
  NO_CHANGES: 422,
  WEAK_PASSWORD: 422,
  NOT_AN_IMAGE: 422,
  TOO_MANY_PIXELS: 422,
  INVALID_DATE: 422,
  DATE_IN_PAST: 422,
  TX_FAILED: 422,
  NO_MATCHING_TRANSFER: 422,
  BELOW_TICKET_PRICE: 422,
  TOO_MANY_UNVERIFIED: 429,
  LOGIN_THROTTLED: 429,
  EXPORT_BUSY: 429,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  BUSY: 503,
  DB_UNAVAILABLE: 503,
  RPC_UNAVAILABLE: 503,
  RPC_DISAGREE: 503,
  NOT_FINAL: 503,
  REFUNDS_PAUSED: 503,
}

const retryAfter: Partial<Record<number, string>> = { 429: '60', 503: '2' }

/** One shape for every refusal; `error` is the sentence a person sees. */
export function errorResponse(error: RaffleError, requestId: string): Response {
  const status = statusOf[error.code]
  const body: ErrorBody = { code: error.code, error: error.message, message: error.message, requestId }
  const { retryAfterSeconds: seconds, allow } = error.data
  const wait = typeof seconds === 'number' ? String(seconds) : retryAfter[status]
  return Response.json(body, {
    status,
    headers: {
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...(wait && { 'retry-after': wait }),
      ...(typeof allow === 'string' && { allow }),
    },
  })
}

/** The answer to whatever was thrown: a refusal as itself, anything else as a bug that the log tells whole. */
export function answerError(error: unknown, request: Request, log: Pick<Logger, 'error'>): Response {
  const requestId = requestIdOf(request)
  const expected = asRaffleError(error)
  if (expected) return errorResponse(expected, requestId)
  log.error({ requestId, err: error, method: request.method, path: pathOf(request.url) }, 'unexpected error')
  return bugResponse(requestId)
}

/** Elysia's own refusals of input, for routes that leave reading or checking to it. */
const elysiaCodes: Record<string, [ErrorCode, string]> = {
  NOT_FOUND: ['NOT_FOUND', 'There is no such call.'],
  PARSE: ['BAD_JSON', 'The body is not valid JSON.'],
  VALIDATION: ['INVALID_VALUE', 'A value is missing or not as it should be.'],
  INVALID_FILE_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'This type of file is not taken.'],
  INVALID_COOKIE_SIGNATURE: ['INVALID_VALUE', 'A cookie is not as it should be.'],
}

/** The status that an error is answered with; a bug is a 500. */
export const statusOfError = (error: unknown): number => {
  const expected = asRaffleError(error)
  return expected ? statusOf[expected.code] : 500
}

/** A bug: nothing of it leaves the server but the id under which the log tells it whole. */
export const bugResponse = (requestId: string): Response =>
  Response.json(
    {
      code: 'INTERNAL',
      error: 'Something went wrong on our side.',
      message: 'Something went wrong on our side.',
      requestId,
    },
    { status: 500, headers: { 'cache-control': 'no-store', 'x-request-id': requestId } },
  )

/** A lost database is an expected state: 503, and nothing was promised. */
export function asRaffleError(error: unknown): RaffleError | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof RaffleError) return cause
    // Whoever asked has left in the middle of the body: nobody hears the answer, and it is no bug of ours.
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
