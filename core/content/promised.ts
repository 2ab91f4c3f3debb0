import { type Hex, sha256, stringToBytes } from 'viem'
import { unitsOf } from '../money.ts'
import { goods, type PrizePromise } from '../prize/promise.ts'
import type { ContentPrize, EventContent } from './event-content.ts'

/** Canonical JSON of the title, and of each prize all but where its pictures lie and what is said of them. */
export const promisedText = (content: Pick<EventContent, 'title' | 'prizes'>): string =>
  canonicalJson({ title: both(content.title), prizes: content.prizes.map(prizeOf) })

/** SHA-256 of that text's bytes: `contentSha256` of the terms. */
export const contentSha256 = (content: Pick<EventContent, 'title' | 'prizes'>): Hex =>
  textSha256(promisedText(content))

/** @internal */
export const textSha256 = (text: string): Hex => sha256(stringToBytes(text))

const prizeOf = ({ name, value, kind, amount, copies, about, facts, pictures }: ContentPrize): Canonical => ({
  ...{ name: both(name), value, kind, amount, copies, about: both(about) },
  facts: facts.map((fact) => ({ name: both(fact.name), value: both(fact.value) })),
  pictures: pictures.map((picture) => picture.sha256),
})

/** Field by field: nothing else that an object may hold is promised. */
const both = ({ en, ko }: { en: string; ko: string }): Canonical => ({ en, ko })

/** What canonical JSON is made of here. No fractions: two languages may write them in two ways. */
export type Canonical = string | number | null | readonly Canonical[] | { readonly [key: string]: Canonical }

/** JSON in the one form of RFC 8785: no space, names by their UTF-16 units, shortest escapes. Throws for what is no such value. */
export function canonicalJson(value: Canonical): string {
  if (value === null) return 'null'
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) throw new TypeError('A number is no integer.')
    return `${value}`
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new TypeError('A text has half a sign.')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const fields = value as { readonly [key: string]: Canonical }
  // The default order is that of UTF-16 units.
  const names = Object.keys(fields).sort()
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(fields[name] as Canonical)}`).join()}}`
}

/**
 * What follows from a content in the terms: the copies of all prizes are the winners, in order of their places. Goods at the
 * end are left out, so that one promise is stored in one way.
 */
export function termsOfContent({ prizes }: Pick<EventContent, 'prizes'>) {
  const promised = prizes.flatMap(({ kind, amount, copies }) =>
    Array<PrizePromise>(copies).fill(kind === 'token' ? { kind, units: `${unitsOf(amount ?? 0)}` } : goods),
  )
  const lastToken = promised.findLastIndex(({ kind }) => kind === 'token')
  return { winners: promised.length, prizes: promised.slice(0, lastToken + 1) }
}
