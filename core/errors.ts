/** Programs read the code, so the sentence may change. `api/http/errors.ts` maps each code to a status. */
export type ErrorCode =
  | 'BAD_JSON'
  | 'UNAUTHENTICATED'
  | 'INVALID_CREDENTIALS'
  | 'OTP_REQUIRED'
  | 'INVALID_OTP'
  | 'IP_NOT_ALLOWED'
  | 'ORIGIN_DENIED'
  | 'REAUTH_REQUIRED'
  | 'WRONG_PASSWORD'
  | 'UPLOAD_DENIED'
  | 'NOT_FOUND'
  | 'TRANSACTION_NOT_FOUND'
  | 'NO_WINNER'
  | 'METHOD_NOT_ALLOWED'
  | 'TX_PENDING'
  | 'EVENT_LOCKED'
  | 'SALES_OPEN'
  | 'MIN_REACHED'
  | 'WOULD_LOCK_OUT'
  | 'OTP_NOT_SET_UP'
  | 'UPLOAD_USED'
  | 'WALLET_PINNED'
  | 'VERSION_CONFLICT'
  | 'ALREADY_PROCESSED'
  | 'OUTSIDE_SALE_WINDOW'
  | 'DRAW_NOT_DUE'
  | 'MIN_NOT_REACHED'
  | 'ALREADY_DRAWN'
  | 'REFUND_MODE'
  | 'WINNER_EXISTS'
  | 'REFUND_TOTALS_CHANGED'
  | 'NOTHING_TO_REFUND'
  | 'BODY_TIMEOUT'
  | 'LENGTH_REQUIRED'
  | 'BODY_TOO_LARGE'
  | 'URL_TOO_LONG'
  | 'HEADERS_TOO_LARGE'
  | 'MISDIRECTED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'UNKNOWN_FIELD'
  | 'INVALID_TX_HASH'
  | 'INVALID_WALLET'
  | 'INVALID_QUANTITY'
  | 'INVALID_AMOUNT'
  | 'INVALID_VALUE'
  | 'INVALID_URL'
  | 'INVALID_IP'
  | 'IP_TOO_BROAD'
  | 'INVALID_OTP_FORMAT'
  | 'NO_CHANGES'
  | 'WEAK_PASSWORD'
  | 'NOT_AN_IMAGE'
  | 'TOO_MANY_PIXELS'
  | 'INVALID_DATE'
  | 'DATE_IN_PAST'
  | 'TX_FAILED'
  | 'NO_MATCHING_TRANSFER'
  | 'BELOW_TICKET_PRICE'
  | 'TOO_MANY_UNVERIFIED'
  | 'LOGIN_THROTTLED'
  | 'EXPORT_BUSY'
  | 'RATE_LIMITED'
  | 'BUSY'
  | 'DB_UNAVAILABLE'
  | 'RPC_UNAVAILABLE'
  | 'RPC_DISAGREE'
  | 'NOT_FINAL'
  | 'REFUNDS_PAUSED'

/** An expected refusal: people read `message`; `data` goes to the log and never into an answer. */
export class RaffleError extends Error {
  override name = 'RaffleError'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

const temporary = new Set<ErrorCode>([
  'DB_UNAVAILABLE',
  'RPC_UNAVAILABLE',
  'RPC_DISAGREE',
  'NOT_FINAL',
  'TX_PENDING',
])

/** True when the same work may succeed later without a change. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof RaffleError && temporary.has(error.code)
