type Meaning = {
  status: number
  /** The same work may succeed later without anybody changing anything. */
  retry?: true
  /** What an administrator is told (in Korean) says more than the code does: the sentence is shown as it is. */
  specific?: true
}

/** Codes for programs, and what each of them means; the sentence is free to improve. */
export const errors = {
  BAD_JSON: { status: 400 },
  UNAUTHENTICATED: { status: 401 },
  INVALID_CREDENTIALS: { status: 401 },
  OTP_REQUIRED: { status: 401 },
  INVALID_OTP: { status: 401 },
  /** Not a signature of a registered passkey for the challenge that was just asked, on this site. */
  INVALID_PASSKEY: { status: 401 },
  IP_NOT_ALLOWED: { status: 403 },
  ORIGIN_DENIED: { status: 403 },
  /** Another role of administrators may do this. */
  READ_ONLY: { status: 403 },
  REAUTH_REQUIRED: { status: 403 },
  /** A printed password opens only the way to a new one, and that for a day. */
  PASSWORD_CHANGE_REQUIRED: { status: 403, specific: true },
  WRONG_PASSWORD: { status: 403 },
  UPLOAD_DENIED: { status: 403, specific: true },
  NOT_FOUND: { status: 404, specific: true },
  TRANSACTION_NOT_FOUND: { status: 404 },
  NO_WINNER: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405 },
  BODY_TIMEOUT: { status: 408 },
  TX_PENDING: { status: 409, retry: true, specific: true },
  EVENT_LOCKED: { status: 409, specific: true },
  SALES_OPEN: { status: 409, specific: true },
  MIN_REACHED: { status: 409, specific: true },
  WOULD_LOCK_OUT: { status: 409, specific: true },
  OTP_NOT_SET_UP: { status: 409, specific: true },
  /** Nobody gives himself the second word. */
  /** There must be an owner at all times. */
  UPLOAD_USED: { status: 409 },
  BEACON_KNOWN: { status: 409 },
  WALLET_PINNED: { status: 409 },
  VERSION_CONFLICT: { status: 409 },
  ALREADY_PROCESSED: { status: 409, specific: true },
  OUTSIDE_SALE_WINDOW: { status: 409 },
  /** Its tickets would go beyond a limit of the event: none as a whole. */
  DRAW_NOT_DUE: { status: 409 },
  MIN_NOT_REACHED: { status: 409 },
  ALREADY_DRAWN: { status: 409 },
  REFUND_MODE: { status: 409 },
  /** It is nobody's turn, or another's, or there is nothing to say of this prize now. */
  CLAIM_CLOSED: { status: 409, specific: true },
  /** The message's ten minutes are over. */
  CLAIM_EXPIRED: { status: 409 },
  /** The message was taken before. */
  CLAIM_USED: { status: 409 },
  WINNER_EXISTS: { status: 409, specific: true },
  REFUND_TOTALS_CHANGED: { status: 409 },
  NOTHING_TO_REFUND: { status: 409 },
  LENGTH_REQUIRED: { status: 411 },
  BODY_TOO_LARGE: { status: 413, specific: true },
  URL_TOO_LONG: { status: 414 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, specific: true },
  MISDIRECTED: { status: 421 },
  UNKNOWN_FIELD: { status: 422, specific: true },
  INVALID_TX_HASH: { status: 422 },
  INVALID_SIGNATURE: { status: 422 },
  /** Not word by word a message of this site for this event, place and wallet. */
  CLAIM_MISMATCH: { status: 422 },
  INVALID_WALLET: { status: 422, specific: true },
  INVALID_QUANTITY: { status: 422 },
  INVALID_AMOUNT: { status: 422 },
  INVALID_VALUE: { status: 422, specific: true },
  INVALID_URL: { status: 422, specific: true },
  INVALID_IP: { status: 422 },
  IP_TOO_BROAD: { status: 422 },
  INVALID_OTP_FORMAT: { status: 422, specific: true },
  NO_CHANGES: { status: 422, specific: true },
  WEAK_PASSWORD: { status: 422, specific: true },
  NOT_AN_IMAGE: { status: 422 },
  TOO_MANY_PIXELS: { status: 422 },
  INVALID_DATE: { status: 422 },
  DATE_IN_PAST: { status: 422 },
  DATE_TOO_FAR: { status: 422 },
  TX_FAILED: { status: 422 },
  NO_MATCHING_TRANSFER: { status: 422 },
  BELOW_TICKET_PRICE: { status: 422 },
  TOO_MANY_UNVERIFIED: { status: 429 },
  LOGIN_THROTTLED: { status: 429, specific: true },
  EXPORT_BUSY: { status: 429 },
  RATE_LIMITED: { status: 429, specific: true },
  HEADERS_TOO_LARGE: { status: 431 },
  BUSY: { status: 503 },
  /** The file would not fit on the disk. */
  DB_UNAVAILABLE: { status: 503, retry: true },
  RPC_UNAVAILABLE: { status: 503, retry: true, specific: true },
  /** The endpoints no longer have blocks that are needed: an administrator has to name one that has. */
  HISTORY_MISSING: { status: 503, retry: true },
  RPC_DISAGREE: { status: 503, retry: true },
  NOT_FINAL: { status: 503, retry: true },
  /** The round of the beacon that the draw takes is not there yet. */
  BEACON_PENDING: { status: 503, retry: true },
  REFUNDS_PAUSED: { status: 503 },
  /** The database was restored, or its first wallet has served another book, and nobody has compared it with the chain yet. */
  HOUSE_SHUT: { status: 503 },
} as const satisfies Record<string, Meaning>

export type ErrorCode = keyof typeof errors

/**
 * An expected refusal: `message` is read by people, `field` names the value that is meant, `data` is for the log;
 * of it only `retryAfterSeconds` and `allow` are answered.
 */
export class RaffleError extends Error {
  override name = 'RaffleError'
  readonly field: string | undefined
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data: Record<string, unknown> = {},
    { field }: { field?: string | undefined } = {},
  ) {
    super(message)
    this.field = field
  }
}

const meaningOf = (code: ErrorCode): Meaning => errors[code]

/** True when the same work may succeed later without a change. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof RaffleError && meaningOf(error.code).retry === true
