import { type TSchema, Type as t } from '@sinclair/typebox'
import { type Address, type Hash, type Hex, isAddress } from 'viem'
import { unseen } from '../../core/content/clean-text.ts'
import type { DetailsOf } from '../../core/errors.ts'
import { parseDate } from '../../core/event/event.ts'
import { optional, orIfEmpty, type Refusal, read, refusal, refuse } from './schema.ts'

/** A transaction hash in any spelling, trimmed and lower case. */
export const hash = read(t.String(refusal('INVALID_TX_HASH')), (value) => {
  const text = value.trim().toLowerCase()
  return /^0x[0-9a-f]{64}$/.test(text) ? (text as Hash) : refuse()
})

const walletText = t.String(refusal('INVALID_WALLET', { reason: 'form' }))
const trimmedWallet = (value: string) => value.trim().replace(/^0X/, '0x')

/** An address in any case, returned in lower case; a mixed-case one must have its checksum. */
export const wallet = read(walletText, (value) => {
  const text = trimmedWallet(value)
  const digits = text.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isAddress(text, { strict: !oneCase }) ? (text.toLowerCase() as Address) : refuse()
})

/** As `wallet`, without the checksum: a mistyped hint must not cost a payment. */
export const walletHint = read(walletText, (value) => {
  const text = trimmedWallet(value).toLowerCase()
  return isAddress(text, { strict: false }) ? (text as Address) : refuse()
})

/** 65 bytes from a key; a contract's may be longer, or nothing where its owners signed on chain. */
export const anySignature = (mostBytes = 4_096) =>
  t.Unsafe<Hex>(
    t.String({
      pattern: `^0[xX](?:[0-9a-fA-F]{2}){0,${mostBytes}}$`,
      ...refusal('INVALID_VALUE', { reason: 'bytes' }),
    }),
  )

export const whole = (
  minimum: number,
  maximum: number,
  kind: Refusal = refusal('INVALID_VALUE', { reason: 'whole', values: { least: minimum, most: maximum } }),
) => t.Integer({ minimum, maximum, ...kind })

/** Revision of what a form was filled with. */
export const version = whole(1, 2_147_483_647)

export const flag = () => t.Boolean(refusal('INVALID_VALUE', { reason: 'flag' }))

type TextRules = { max: number; lines?: boolean; kind?: Refusal | undefined }

/** A text that is not empty and has no control characters; not trimmed. */
export const text = ({ max, lines = false, kind }: TextRules) =>
  read(
    t.String({
      minLength: 1,
      maxLength: max,
      ...(kind ?? orIfEmpty(refusal('INVALID_VALUE', { reason: 'text', values: { most: max } }), 'empty')),
    }),
    (value) => (isClean(value, lines) ? value : refuse()),
  )

/** No control characters, which cause trouble in databases and spreadsheets, no marks of direction, no lone surrogates. */
const isClean = (value: string, lines: boolean): boolean =>
  value.isWellFormed() && !unseen.test(lines ? value.replaceAll(/[\r\n\t]/g, '') : value)

const urlText = { max: 2_048, kind: refusal('INVALID_URL', { reason: 'https' }) }

/** Words for people, on one line and not blank; trimmed. */
export const words = (max: number) => read(text({ max }), (value) => value.trim() || refuse())

/** A text that may be a URL; trimmed. */
export const urlLike = () => read(text(urlText), (value) => value.trim())

/** An https URL without credentials. */
export const httpsUrl = () => read(urlLike(), (value) => (isHttpsUrl(value) ? value : refuse()))

function isHttpsUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url?.protocol === 'https:' && !url.username && !url.password && /^https:\/\/[^\s\\]+$/i.test(value)
}

/** A date as forms write it, in UTC. */
export const date = read(t.String(refusal('INVALID_DATE', { reason: 'form' })), parseDate)

/** The event number of a path: small and positive; any other text is an event that does not exist. */
export const eventNumber = idOf(refusal('NOT_FOUND', { reason: 'event' }))
export const eventInPath = t.Object({ eventNumber })

/** As `id` of a path; `reason` says what is not found where there is none. */
export const idInPath = (reason: DetailsOf<'NOT_FOUND'>['reason']) =>
  t.Object({ id: idOf(refusal('NOT_FOUND', { reason })) })

/** A number of a path: whatever else stands there is nothing that exists. */
function idOf(kind: Refusal) {
  return read(t.String({ pattern: '^[1-9]\\d{0,8}$', ...kind }), Number)
}

/** Parameters of lists; empty counts as left out. */
export const digits = (most: number) =>
  optional(
    read(
      t.String({
        pattern: `^\\d{1,${most}}$`,
        ...refusal('INVALID_VALUE', { reason: 'number' }),
      }),
      Number,
    ),
  )

/** The id of the last row of the page before. */
export const cursor = digits(15)

export const oneOf = <const T extends readonly string[]>(options: T) => optional(choice(options))

export const choice = <const T extends readonly string[]>(options: T) =>
  t.Unsafe<T[number]>(
    t.Union(
      options.map((option) => t.Literal(option)),
      refusal('INVALID_VALUE', { reason: 'options', values: { options: options.join(', ') } }),
    ),
  )

export const search = optional(
  read(
    t.String({ maxLength: 128, ...refusal('INVALID_VALUE', { reason: 'text', values: { most: 128 } }) }),
    (value) => (isClean(value, false) ? value : refuse()),
  ),
)

/** A body of bytes that the call reads itself. */
export const bytes = t.Unsafe<Blob>({ type: 'string', format: 'binary' })
export const isBytes = (schema: TSchema): boolean => schema.format === 'binary'
