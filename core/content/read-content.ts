import type { Address, Hex } from 'viem'
import { mostWinners } from '../draw/winners.ts'
import { type DetailsOf, RaffleError } from '../errors.ts'
import { mostPrizeCents, type PrizeKind } from '../prize/promise.ts'
import { cleanText, signsOf } from './clean-text.ts'
import { type Both, contentLimits as most } from './event-content.ts'

/** A content whose pictures were not looked at yet. */
export type ContentForm = ReturnType<typeof content>
/** What a form says of a picture; the rest is told by the stored file. Values that it says all the same must agree with it. */
export type NamedPicture = {
  key: string
  alt: Both
  sha256?: Hex | undefined
  width?: number | undefined
  height?: number | undefined
}

/** Throws INVALID_VALUE, INVALID_URL or UNKNOWN_FIELD with the field, such as `content.prizes.0.name.ko`. */
export function readContent(value: unknown): ContentForm {
  const read = content(value, 'content')
  const winners = read.prizes.reduce((sum, { copies }) => sum + copies, 0)
  if (winners > mostWinners)
    throw refused({ reason: 'copies', values: { winners, most: mostWinners }, field: 'content.prizes' })
  return read
}

type Read<T> = (value: unknown, name: string) => T

/** These fields and no other. */
const object =
  <S extends Record<string, Read<unknown>>>(fields: S): Read<{ [K in keyof S]: ReturnType<S[K]> }> =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refused({ reason: 'value', field: name })
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(fields, key))
    if (stranger !== undefined) {
      const unknown = stranger
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, '?')
        .slice(0, 40)
      throw new RaffleError('UNKNOWN_FIELD', { values: { unknown }, field: name })
    }
    const given = value as Record<string, unknown>
    const read = Object.entries(fields).map(([key, of]) => [key, of(given[key], `${name}.${key}`)])
    return Object.fromEntries(read)
  }

const list =
  <T>(of: Read<T>, least: number, max: number): Read<readonly T[]> =>
  (value, name) => {
    if (Array.isArray(value) && value.length >= least && value.length <= max)
      return value.map((one, index) => of(one, `${name}.${index}`))
    throw refused({ reason: 'entries', values: { least, most: max }, field: name })
  }

type TextRules = { lines?: 'one' | 'several'; empty?: boolean }

const text =
  (max: number, { lines = 'one', empty = false }: TextRules = {}): Read<string> =>
  (value, name) => {
    const clean = typeof value === 'string' ? cleanText(value, lines) : undefined
    if (clean === undefined) throw refused({ reason: 'characters', field: name })
    if (clean === '' && !empty) throw refused({ reason: 'needsBoth', field: name })
    if (signsOf(clean) > max) throw refused({ reason: 'length', values: { most: max }, field: name })
    return clean
  }

/** In both languages; with `empty` in none. */
function both(max: number, rules: TextRules = {}): Read<Both> {
  const read = object({ en: text(max, rules), ko: text(max, rules) })
  return (value, name) => {
    const found = read(value, name)
    if ((found.en === '') !== (found.ko === ''))
      throw refused({ reason: 'both', field: `${name}.${found.en === '' ? 'en' : 'ko'}` })
    return found
  }
}

const whole =
  (max: number): Read<number> =>
  (value, name) => {
    if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max)
      return value as number
    throw refused({ reason: 'whole', values: { least: 1, most: max }, field: name })
  }

const orNone =
  <T>(of: Read<T>): Read<T | undefined> =>
  (value, name) =>
    value === undefined ? undefined : of(value, name)

const like =
  <T extends string>(form: RegExp, reason: 'image' | 'sha256'): Read<T> =>
  (value, name) => {
    if (typeof value === 'string' && form.test(value)) return value as T
    throw refused({ reason, field: name })
  }

const title: Read<Both> = (value, name) => {
  const { titleLines, titleLine } = most
  const found = both(titleLines * (titleLine + 1), { lines: 'several' })(value, name)
  for (const language of ['en', 'ko'] as const) {
    const lines = found[language].split('\n')
    if (lines.length > titleLines || lines.some((line) => line === '' || signsOf(line) > titleLine)) {
      const values = { signs: titleLine, lines: titleLines }
      throw refused({ reason: 'title', values, field: `${name}.${language}` })
    }
  }
  return found
}

const kind: Read<PrizeKind> = (value, name) => {
  if (value === 'goods' || value === 'token') return value
  throw refused({ reason: 'options', values: { options: 'goods, token' }, field: name })
}

const picture: Read<NamedPicture> = object({
  key: like<string>(/^[0-9a-f]{32}\.(jpg|png)$/, 'image'),
  sha256: orNone(like<Hex>(/^0x[0-9a-f]{64}$/, 'sha256')),
  width: orNone(whole(1_000_000)),
  height: orNone(whole(1_000_000)),
  alt: both(most.alt),
})

const prizeFields = object({
  name: both(most.name),
  /** As it is printed, `$2,500`. */
  value: text(most.value),
  kind,
  amount: (value) => value ?? null,
  /** How many of it: the copies of all prizes are the event's `winners`, in order of their places. */
  copies: whole(mostWinners),
  about: both(most.about, { lines: 'several', empty: true }),
  facts: list(object({ name: both(most.factName), value: both(most.factValue) }), 0, most.facts),
  pictures: list(picture, 0, most.pictures),
})

function prize(value: unknown, name: string) {
  const { amount, ...read } = prizeFields(value, name)
  if (read.kind === 'goods' && amount !== null)
    throw refused({ reason: 'goodsAmount', field: `${name}.amount` })
  return {
    ...read,
    /** Hundredths of a USDT for `token`, else null. */
    amount: read.kind === 'token' ? whole(mostPrizeCents)(amount, `${name}.amount`) : null,
  }
}

const url: Read<string> = (value, name) => {
  const clean = typeof value === 'string' ? cleanText(value, 'one') : undefined
  if (clean && signsOf(clean) <= most.url && isHttpsUrl(clean)) return clean
  throw new RaffleError('INVALID_URL', { reason: 'https', field: name })
}

function isHttpsUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url?.protocol === 'https:' && !url.username && !url.password && /^https:\/\/[^\s\\]+$/i.test(value)
}

const content = object({
  /** Up to three lines. */
  title,
  /** {price} is the live ticket price. */
  lead: both(most.lead, { lines: 'several' }),
  /** For search engines and shared links. */
  summary: both(most.summary),
  prizes: list(prize, 1, most.prizes),
  shipping: both(most.shipping, { lines: 'several', empty: true }),
  links: list(object({ label: both(most.label), url }), 0, most.links),
})

function refused(why: DetailsOf<'INVALID_VALUE'>): RaffleError {
  return new RaffleError('INVALID_VALUE', why)
}

/** An address has 40 digits, and a hash 64: of a longer run somebody may copy the first 40. */
const addresses = /0x[0-9a-f]{40,}/gi
const hashLength = 66
const ignorable = /\p{Default_Ignorable_Code_Point}/gu

/** Throws INVALID_VALUE for a text that names another address than the operator wallet. `name`: the value's own field. */
export function refuseOtherAddress(value: unknown, wallet: Address | null | undefined, name = ''): void {
  if (typeof value === 'string') {
    const plain = value.normalize('NFKC').replaceAll(ignorable, '').toLowerCase()
    const found = plain.match(addresses)?.find((one) => one !== wallet && one.length !== hashLength)
    if (found) throw refused({ reason: 'otherAddress', values: { address: found.slice(0, 42) }, field: name })
  } else if (typeof value === 'object' && value !== null)
    for (const [field, inside] of Object.entries(value))
      refuseOtherAddress(inside, wallet, name ? `${name}.${field}` : field)
}
