import { cleanText } from '../../../../core/content/clean-text.ts'
import type { Both, ContentPrize, EventContent, Picture } from '../../../../core/content/event-content.ts'
import { type ContentForm, readContent } from '../../../../core/content/read-content.ts'
import { RaffleError } from '../../../../core/errors.ts'
import { formatCents, parseCents } from '../../../../core/money.ts'
import { t, words } from '../language/t.ts'
import { bodyOf, type Difference, type Field, type Wrong } from '../ui/draft.ts'
import { errorText } from '../ui/error-text.ts'

/** `id` names a row of a list while it is moved; it is not saved. */
export type Row<T> = T & { id: string }
type DraftFact = Row<ContentPrize['facts'][number]>
type DraftLink = Row<EventContent['links'][number]>
export type DraftPicture = Row<Pick<Picture, 'key' | 'width' | 'height' | 'alt'>>
type TypedPrize = {
  /** USDT, as typed. */
  amount: string
  copies: string
  facts: readonly DraftFact[]
  pictures: readonly DraftPicture[]
}
export type DraftPrize = Row<Omit<ContentPrize, keyof TypedPrize> & TypedPrize>
type TypedLists = { prizes: readonly DraftPrize[]; links: readonly DraftLink[] }
export type ContentDraft = Omit<EventContent, keyof TypedLists> & TypedLists

const none: Both = { en: '', ko: '' }

let rows = 0
/** A row that is added gets an id that no saved one has, also after the page was loaded anew. */
const rowOf = <T>(value: T): Row<T> => ({ ...value, id: `row-${Date.now()}-${++rows}` })
/** Saved rows are known by their places, so the same content has the same rows each time it is read. */
const rowsOf = <T, Drawn = T>(list: readonly T[], draw: (row: T) => Drawn = (row) => row as never) =>
  list.map((row, at): Row<Drawn> => ({ ...draw(row), id: `saved-${at}` }))

export const emptyFact = (): DraftFact => rowOf({ name: none, value: none })
export const emptyLink = (): DraftLink => rowOf({ label: none, url: '' })
export const newPicture = (picture: Omit<DraftPicture, 'id' | 'alt'>): DraftPicture =>
  rowOf({ ...picture, alt: none })
export const emptyPrize = (id?: string): DraftPrize => ({
  ...rowOf({ name: none, value: '', kind: 'goods' as const, amount: '', copies: '1', about: none }),
  ...{ facts: [], pictures: [] },
  ...(id && { id }),
})

/** Each part as its fields show it; an event from before contents were kept has none. @internal */
export const shows = {
  text: (saved: unknown): Both => (saved as Both | undefined) ?? none,
  prizes: (saved: unknown): readonly DraftPrize[] =>
    saved
      ? rowsOf(saved as EventContent['prizes'], ({ amount, copies, facts, pictures, ...prize }) => ({
          ...prize,
          amount: amount === null ? '' : formatCents(BigInt(amount)),
          copies: `${copies}`,
          facts: rowsOf(facts),
          pictures: rowsOf(pictures, ({ key, width, height, alt }) => ({ key, width, height, alt })),
        }))
      : [emptyPrize('saved-0')],
  links: (saved: unknown): readonly DraftLink[] => rowsOf((saved as EventContent['links'] | undefined) ?? []),
}

/** As the API takes it: texts in their one form, and what is no number as 0, which no form sends. @internal */
export const forms = {
  text: both,
  prizes: (prizes: readonly DraftPrize[]): ContentForm['prizes'] =>
    prizes.map(({ name, value, kind, amount, copies, about, facts, pictures }) => ({
      ...{ name: both(name), value: clean(value), kind, about: both(about) },
      amount: kind === 'token' ? centsIn(amount) : null,
      copies: wholeIn(copies),
      facts: facts.map((fact) => ({ name: both(fact.name), value: both(fact.value) })),
      pictures: pictures.map(({ key, alt }) => ({ key, alt: both(alt) })),
    })),
  links: (links: readonly DraftLink[]): ContentForm['links'] =>
    links.map(({ label, url }) => ({ label: both(label), url: clean(url) })),
}

/** What the preview shows of a draft that may be half done; its pictures are told by nobody but this page. */
export const shownOf = (draft: ContentDraft): EventContent => ({
  ...{ title: both(draft.title), lead: both(draft.lead), summary: both(draft.summary) },
  ...{ shipping: both(draft.shipping), links: forms.links(draft.links) },
  prizes: forms.prizes(draft.prizes).map((prize, at) => ({
    ...prize,
    copies: Math.max(1, prize.copies),
    pictures: (draft.prizes[at]?.pictures ?? []).map(({ key, width, height, alt }) => ({
      ...{ key, width, height, alt, sha256: '0x' as const },
    })),
  })),
})

/** @internal */
export const centsIn = (amount: string): number => Number(parseCents(amount.replaceAll(/[\s,]/g, '')) ?? 0n)
/** @internal */
export const wholeIn = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : 0)

/** A text that the server would refuse is sent as it is, so that the server says what is wrong with it. */
const clean = (text: string): string => cleanText(text, 'several') ?? text
function both({ en, ko }: Both): Both {
  const [english, korean] = [clean(en), clean(ko)]
  return { en: english || korean, ko: korean || english }
}

/** `value` with `part` at `path`, such as `prizes.0.name.ko`; all else is shared with the old one. */
export function withAt<T>(value: T, path: string, part: unknown): T {
  const [name = '', ...rest] = path.split('.')
  const below = rest.join('.')
  const next = below === '' ? part : withAt((value as Record<string, unknown>)[name], below, part)
  if (Array.isArray(value)) return value.with(Number(name), next) as T
  return { ...value, [name]: next }
}

export const partAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], value)

export const textAt = (value: unknown, path: string): string => {
  const found = partAt(value, path)
  return typeof found === 'string' ? found : ''
}

export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const row = list[from]
  if (row === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, row)
}

const part = <T, B>(name: string, show: (saved: unknown) => T, form: (typed: T) => B): Field<T, B> => ({
  ...{ label: names[name] ?? name, show },
  read: (typed) => ({ value: form(typed) }),
  differences: (before, after) => differencesIn(name, form(before), form(after)),
})

const names: Record<string, string> = words.contentParts
const kinds: Record<string, string> = { goods: t('배송하는 물건'), token: t('USDT 지급') }

export const contentFields = {
  title: part('title', shows.text, forms.text),
  lead: part('lead', shows.text, forms.text),
  summary: part('summary', shows.text, forms.text),
  prizes: part('prizes', shows.prizes, forms.prizes),
  shipping: part('shipping', shows.text, forms.text),
  links: part('links', shows.links, forms.links),
}

function differencesIn(name: string, before: unknown, after: unknown): Difference[] {
  const [from, to] = [valuesOf(name, before), valuesOf(name, after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((label) => (from.get(label) ?? '') !== (to.get(label) ?? ''))
    .map((label) => ({ label, from: from.get(label) ?? '', to: to.get(label) ?? '' }))
}

function valuesOf(name: string, form: unknown): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (label: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [at, one] of value.entries()) walk(`${label} ${at + 1}`, one)
    else if (typeof value === 'object' && value !== null)
      for (const [inside, one] of Object.entries(value)) walk(`${label} ${names[inside] ?? inside}`, one)
    else if (value !== null) found.set(label, kinds[`${value}`] ?? `${value}`)
  }
  walk(names[name] ?? name, form)
  return found
}

/** What the server would refuse, all of it at once: each refused value makes way for one that it takes. */
export function wrongInContent(draft: ContentDraft): Wrong {
  const wrong: Wrong = { bad: {}, missing: {} }
  const refused = new Set<string>()
  let form: unknown = bodyOf(contentFields, draft)
  for (;;)
    try {
      readContent(form)
      return wrong
    } catch (error) {
      const path = error instanceof RaffleError ? error.field?.replace('content.', '') : undefined
      if (!path || refused.has(path)) return wrong
      refused.add(path)
      tell(wrong, draft, path, error as RaffleError)
      form = withAt(form, path, taken[path.split('.').at(-1) ?? ''] ?? 'x')
    }
}

const taken: Record<string, unknown> = { copies: 1, amount: 1, url: 'https://a.example' }

/** One of the languages may be empty: it then says what the other one does, and is not wrong by itself. */
function tell({ bad, missing }: Wrong, draft: ContentDraft, path: string, error: RaffleError): void {
  const isMissing = error.values.reason === 'needsBoth'
  const isCopy = /\.(en|ko)$/.test(path) && textAt(draft, path).trim() === ''
  if (isCopy && !(isMissing && path.endsWith('.en'))) return
  if (isMissing) missing[path] = t('값을 입력하세요.')
  else if (path.endsWith('.amount')) bad[path] = t('금액을 USDT로 입력하세요. 예: 500 또는 99.50')
  else bad[path] = errorText(error, '')
}

export const winnersOf = ({ prizes }: Pick<ContentDraft, 'prizes'>): number =>
  prizes.reduce((sum, { copies }) => sum + wholeIn(copies), 0)
