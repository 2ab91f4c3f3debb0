import type { Address, Hex } from 'viem'
import { mostWinners } from '../draw/winners.ts'
import { type DetailsOf, RaffleError } from '../errors.ts'
import { mostPrizeCents } from '../prize/promise.ts'
import { cleanText, signsOf } from './clean-text.ts'
import { type Both, type ContentPrize, type EventContent, contentLimits as most } from './event-content.ts'

/** What a form says of a picture; the rest is told by the stored file. Values that it says all the same must agree with it. */
export type NamedPicture = {
  key: string
  alt: Both
  sha256?: Hex | undefined
  width?: number | undefined
  height?: number | undefined
}
/** A content whose pictures were not looked at yet. */
export type ContentForm = Omit<EventContent, 'prizes'> & {
  prizes: readonly (Omit<ContentPrize, 'pictures'> & { pictures: readonly NamedPicture[] })[]
}

/** Throws INVALID_VALUE, INVALID_URL or UNKNOWN_FIELD with the field, such as `content.prizes.0.name.ko`. */
export function readContent(value: unknown, name = 'content'): ContentForm {
  const fields = object(value, name, ['title', 'lead', 'summary', 'prizes', 'shipping', 'links'])
  const prizes = list(fields.prizes, `${name}.prizes`, 1, most.prizes).map((prize, index) =>
    readPrize(prize, `${name}.prizes.${index}`),
  )
  const winners = prizes.reduce((sum, { copies }) => sum + copies, 0)
  if (winners > mostWinners)
    throw refused({ reason: 'copies', values: { winners, most: mostWinners }, field: `${name}.prizes` })
  return {
    title: readTitle(fields.title, `${name}.title`),
    lead: both(fields.lead, `${name}.lead`, { max: most.lead, lines: 'several' }),
    summary: both(fields.summary, `${name}.summary`, { max: most.summary }),
    prizes,
    shipping: both(fields.shipping, `${name}.shipping`, {
      max: most.shipping,
      lines: 'several',
      empty: true,
    }),
    links: list(fields.links, `${name}.links`, 0, most.links).map((link, index) =>
      readLink(link, `${name}.links.${index}`),
    ),
  }
}

function readTitle(value: unknown, name: string): Both {
  const { titleLines, titleLine } = most
  const title = both(value, name, { max: titleLines * (titleLine + 1), lines: 'several' })
  for (const language of ['en', 'ko'] as const) {
    const lines = title[language].split('\n')
    if (lines.length > titleLines || lines.some((line) => line === '' || signsOf(line) > titleLine))
      throw refused({
        reason: 'title',
        values: { signs: titleLine, lines: titleLines },
        field: `${name}.${language}`,
      })
  }
  return title
}

function readPrize(value: unknown, name: string): ContentForm['prizes'][number] {
  const fields = object(value, name, [
    ...(['name', 'value', 'kind', 'amount', 'copies', 'about', 'facts', 'pictures'] as const),
  ])
  const { kind } = fields
  if (kind !== 'goods' && kind !== 'token')
    throw refused({ reason: 'options', values: { options: 'goods, token' }, field: `${name}.kind` })
  return {
    name: both(fields.name, `${name}.name`, { max: most.name }),
    value: text(fields.value, `${name}.value`, { max: most.value }),
    kind,
    amount: readAmount(fields.amount, kind, `${name}.amount`),
    copies: whole(fields.copies, `${name}.copies`, mostWinners),
    about: both(fields.about, `${name}.about`, { max: most.about, lines: 'several', empty: true }),
    facts: list(fields.facts, `${name}.facts`, 0, most.facts).map((fact, index) =>
      readFact(fact, `${name}.facts.${index}`),
    ),
    pictures: list(fields.pictures, `${name}.pictures`, 0, most.pictures).map((picture, index) =>
      readPicture(picture, `${name}.pictures.${index}`),
    ),
  }
}

function readAmount(value: unknown, kind: ContentPrize['kind'], name: string): number | null {
  if (kind === 'token') return whole(value, name, mostPrizeCents)
  if (value === null || value === undefined) return null
  throw refused({ reason: 'goodsAmount', field: name })
}

function readFact(value: unknown, name: string) {
  const fields = object(value, name, ['name', 'value'])
  return {
    name: both(fields.name, `${name}.name`, { max: most.factName }),
    value: both(fields.value, `${name}.value`, { max: most.factValue }),
  }
}

function readPicture(value: unknown, name: string): NamedPicture {
  const fields = object(value, name, ['key', 'sha256', 'width', 'height', 'alt'])
  const { key, sha256 } = fields
  if (typeof key !== 'string' || !/^[0-9a-f]{32}\.(jpg|png)$/.test(key))
    throw refused({ reason: 'image', field: `${name}.key` })
  if (sha256 !== undefined && (typeof sha256 !== 'string' || !/^0x[0-9a-f]{64}$/.test(sha256)))
    throw refused({ reason: 'sha256', field: `${name}.sha256` })
  const size = (of: 'width' | 'height') =>
    fields[of] === undefined ? undefined : whole(fields[of], `${name}.${of}`, 1_000_000)
  const alt = both(fields.alt, `${name}.alt`, { max: most.alt })
  return { key, sha256: sha256 as Hex | undefined, width: size('width'), height: size('height'), alt }
}

function readLink(value: unknown, name: string) {
  const fields = object(value, name, ['label', 'url'])
  const label = both(fields.label, `${name}.label`, { max: most.label })
  const url = typeof fields.url === 'string' ? cleanText(fields.url, 'one') : undefined
  if (url && signsOf(url) <= most.url && isHttpsUrl(url)) return { label, url }
  throw new RaffleError('INVALID_URL', { reason: 'https', field: `${name}.url` })
}

function isHttpsUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url?.protocol === 'https:' && !url.username && !url.password && /^https:\/\/[^\s\\]+$/i.test(value)
}

type TextRules = { max: number; lines?: 'one' | 'several'; empty?: boolean }

/** In both languages; with `empty` in none. */
function both(value: unknown, name: string, rules: TextRules): Both {
  const fields = object(value, name, ['en', 'ko'])
  const found = { en: text(fields.en, `${name}.en`, rules), ko: text(fields.ko, `${name}.ko`, rules) }
  const missing = found.en === '' ? 'en' : 'ko'
  if (rules.empty && (found.en === '') !== (found.ko === ''))
    throw refused({ reason: 'both', field: `${name}.${missing}` })
  return found
}

function text(value: unknown, name: string, { max, lines = 'one', empty = false }: TextRules): string {
  const clean = typeof value === 'string' ? cleanText(value, lines) : undefined
  if (clean === undefined) throw refused({ reason: 'characters', field: name })
  if (clean === '' && !empty) throw refused({ reason: 'needsBoth', field: name })
  if (signsOf(clean) > max) throw refused({ reason: 'length', values: { most: max }, field: name })
  return clean
}

function whole(value: unknown, name: string, max: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max)
    return value as number
  throw refused({ reason: 'whole', values: { least: 1, most: max }, field: name })
}

function list(value: unknown, name: string, least: number, max: number): readonly unknown[] {
  if (Array.isArray(value) && value.length >= least && value.length <= max) return value
  throw refused({ reason: 'entries', values: { least, most: max }, field: name })
}

function object<const Name extends string>(
  value: unknown,
  name: string,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused({ reason: 'value', field: name })
  const stranger = Object.keys(value).find((key) => !(names as readonly string[]).includes(key))
  if (stranger === undefined) return value as Partial<Record<Name, unknown>>
  const shown = stranger
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '?')
    .slice(0, 40)
  throw new RaffleError('UNKNOWN_FIELD', { values: { unknown: shown }, field: name })
}

const refused = (why: DetailsOf<'INVALID_VALUE'>): RaffleError => new RaffleError('INVALID_VALUE', why)

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
