import type en from './error-texts/en.json'

type Meaning = {
  status: number
  /** The same work may succeed later without anybody changing anything. */
  retry?: true
  /** What its sentence fills in beside `name`: of each reason where it has several. */
  values?: readonly string[] | Readonly<Record<string, readonly string[]>>
}

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
  READ_ONLY: { status: 403 },
  REAUTH_REQUIRED: { status: 403 },
  /** A printed password opens only the way to a new one, and that for a day. */
  PASSWORD_CHANGE_REQUIRED: { status: 403 },
  WRONG_PASSWORD: { status: 403 },
  UPLOAD_DENIED: { status: 403 },
  NOT_FOUND: { status: 404 },
  TRANSACTION_NOT_FOUND: { status: 404 },
  NO_WINNER: { status: 404, values: { place: ['place'] } },
  METHOD_NOT_ALLOWED: { status: 405, values: ['method'] },
  BODY_TIMEOUT: { status: 408 },
  TX_PENDING: { status: 409, retry: true },
  EVENT_LOCKED: { status: 409, values: { running: ['event'] } },
  SALES_OPEN: { status: 409 },
  MIN_REACHED: { status: 409 },
  WOULD_LOCK_OUT: { status: 409, values: { address: ['address'] } },
  OTP_NOT_SET_UP: { status: 409 },
  UPLOAD_USED: { status: 409 },
  BEACON_KNOWN: { status: 409 },
  WALLET_PINNED: { status: 409 },
  VERSION_CONFLICT: { status: 409 },
  ALREADY_PROCESSED: { status: 409 },
  OUTSIDE_SALE_WINDOW: { status: 409 },
  DRAW_NOT_DUE: { status: 409 },
  MIN_NOT_REACHED: { status: 409, values: ['sold', 'least'] },
  ALREADY_DRAWN: { status: 409 },
  REFUND_MODE: { status: 409 },
  /** It is nobody's turn, or another's, or there is nothing to say of this prize now. */
  CLAIM_CLOSED: { status: 409 },
  CLAIM_EXPIRED: { status: 409 },
  CLAIM_USED: { status: 409 },
  WINNER_EXISTS: { status: 409 },
  REFUND_TOTALS_CHANGED: { status: 409 },
  NOTHING_TO_REFUND: { status: 409 },
  LENGTH_REQUIRED: { status: 411 },
  BODY_TOO_LARGE: { status: 413, values: { body: ['most'] } },
  URL_TOO_LONG: { status: 414, values: ['most'] },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, values: { content: ['type'] } },
  MISDIRECTED: { status: 421, values: { message: ['host'] } },
  UNKNOWN_FIELD: { status: 422, values: ['unknown'] },
  INVALID_TX_HASH: { status: 422 },
  INVALID_SIGNATURE: { status: 422, values: { round: ['round'] } },
  /** Not word by word a message of this site for this event, place and wallet. */
  CLAIM_MISMATCH: { status: 422 },
  INVALID_WALLET: { status: 422 },
  INVALID_QUANTITY: { status: 422 },
  INVALID_AMOUNT: { status: 422 },
  INVALID_VALUE: {
    status: 422,
    values: {
      text: ['most'],
      length: ['most'],
      whole: ['least', 'most'],
      options: ['options'],
      entries: ['least', 'most'],
      addresses: ['most'],
      passkeys: ['most'],
      copies: ['winners', 'most'],
      title: ['lines', 'signs'],
      otherAddress: ['address'],
      accentDark: ['contrast', 'least'],
      accentLight: ['contrast', 'least'],
      legal: ['most'],
      channels: ['most'],
      recipients: ['most'],
    },
  },
  INVALID_URL: { status: 422, values: { form: ['hosts'] } },
  INVALID_IP: { status: 422 },
  IP_TOO_BROAD: { status: 422 },
  INVALID_OTP_FORMAT: { status: 422 },
  NO_CHANGES: { status: 422 },
  WEAK_PASSWORD: { status: 422, values: { length: ['least', 'most'] } },
  NOT_AN_IMAGE: { status: 422 },
  TOO_MANY_PIXELS: { status: 422 },
  INVALID_DATE: { status: 422, values: { saleEnd: ['saleEnd'] } },
  DATE_IN_PAST: { status: 422, values: ['saleEnd'] },
  DATE_TOO_FAR: { status: 422 },
  TX_FAILED: { status: 422 },
  NO_MATCHING_TRANSFER: { status: 422 },
  BELOW_TICKET_PRICE: { status: 422 },
  TOO_MANY_UNVERIFIED: { status: 429 },
  LOGIN_THROTTLED: { status: 429 },
  EXPORT_BUSY: { status: 429 },
  RATE_LIMITED: { status: 429 },
  HEADERS_TOO_LARGE: { status: 431, values: ['most'] },
  BUSY: { status: 503 },
  DB_UNAVAILABLE: { status: 503, retry: true },
  RPC_UNAVAILABLE: { status: 503, retry: true },
  /** The endpoints no longer have blocks that are needed: an administrator has to name one that has. */
  HISTORY_MISSING: { status: 503, retry: true },
  RPC_DISAGREE: { status: 503, retry: true },
  NOT_FINAL: { status: 503, retry: true },
  BEACON_PENDING: { status: 503, retry: true, values: { due: ['round', 'due'] } },
  REFUNDS_PAUSED: { status: 503 },
  /** The database was restored, or its first wallet has served another book, and nobody has compared it with the chain yet. */
  HOUSE_SHUT: { status: 503 },
} as const satisfies Record<string, Meaning>

export type ErrorCode = keyof typeof errors

/** What a sentence speaks of; `reason` chooses the sentence where a code has several. */
export type ErrorValues = Record<string, string | number>
/** The sentences of one language: of each code, or of each reason of a code, with a {name} for each value. */
export type ErrorTexts = typeof en

type Extras = {
  /** The value of the call that is meant. */
  field?: string | undefined
  /** For the log; of it only `retryAfterSeconds` and `allow` are answered. */
  data?: Record<string, unknown> | undefined
}
type Details<Name extends string> = Extras &
  ([Name] extends [never]
    ? { values?: ErrorValues | undefined }
    : { values: Record<Name, string | number> & ErrorValues })
type NamesOf<C extends ErrorCode, R extends string = never> = (typeof errors)[C] extends { values: infer V }
  ? NamesIn<V> | NamesIn<V[R & keyof V]>
  : never
type NamesIn<List> = List extends readonly (infer Name extends string)[] ? Name : never
/** What stands beside this code: its reason where it has several sentences, and the values of the sentence. */
export type DetailsOf<C extends ErrorCode> = ErrorTexts[C] extends string
  ? Details<NamesOf<C>>
  : { [R in keyof ErrorTexts[C] & string]: { reason: R } & Details<NamesOf<C, R>> }[keyof ErrorTexts[C] &
      string]
export type ErrorArguments = {
  [C in ErrorCode]: Extras extends DetailsOf<C>
    ? [code: C, details?: DetailsOf<C>]
    : [code: C, details: DetailsOf<C>]
}[ErrorCode]

type Said = Extras & { values?: ErrorValues | undefined; reason?: string | undefined }

/** An expected refusal. The sentence is made where a person reads it, by `errorSentence`. */
export class RaffleError extends Error {
  override name = 'RaffleError'
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly values: ErrorValues
  readonly data: Record<string, unknown>
  constructor(...[code, details = {}]: ErrorArguments) {
    const { field, data = {}, values, reason }: Said = details
    super(reason ? `${code} ${reason}` : code)
    this.code = code
    this.field = field
    this.values = { ...(reason && { reason }), ...values }
    this.data = data
  }
}

type Told = {
  code?: string | undefined
  field?: string | undefined
  values?: Record<string, string | number | undefined>
}

export function errorSentence(texts: ErrorTexts, { code, field, values = {} }: Told): string | undefined {
  const ofCode = own(texts, code)
  const text = typeof ofCode === 'object' && ofCode !== null ? own(ofCode, values.reason) : ofCode
  if (typeof text !== 'string') return undefined
  return fillIn(text, { name: field, ...values })
}

/** A text with each {name} as its value; one without a value stays. */
export const fillIn = (text: string, values: object): string =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => `${own(values, name) ?? hole}`)

const own = (of: object, name: string | number | undefined): unknown =>
  name !== undefined && Object.hasOwn(of, name) ? of[name as keyof typeof of] : undefined

const meaningOf = (code: ErrorCode): Meaning => errors[code]

export const isTemporary = (error: unknown): boolean =>
  error instanceof RaffleError && meaningOf(error.code).retry === true
