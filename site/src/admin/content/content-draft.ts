import { cleanText, signsOf } from '../../../../core/content/clean-text.ts'
import {
  type Both,
  type ContentPrize,
  type EventContent,
  contentLimits as most,
  type Picture,
} from '../../../../core/content/event-content.ts'
import type { ContentForm } from '../../../../core/content/read-content.ts'
import { mostWinners } from '../../../../core/draw/winners.ts'
import { formatCents, parseCents } from '../../../../core/money.ts'
import { mostPrizeCents } from '../../../../core/prize/promise.ts'
import { t, words } from '../language/t.ts'
import type { Difference, Field, Wrong } from '../ui/draft.ts'

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

type Rules = { max: number; lines?: 'one' | 'several'; isOptional?: boolean }

/** What the server would refuse, all of it at once; the server has the last word (core/content/read-content). */
export function wrongInContent(draft: ContentDraft): Wrong {
  const bad: Record<string, string> = {}
  const missing: Record<string, string> = {}

  function text(path: string, value: string, { max, lines = 'one', isOptional = false }: Rules): void {
    const clean = cleanText(value, lines)
    if (clean === undefined) bad[path] = unseenText
    else if (clean === '' && !isOptional) missing[path] = t('값을 입력하세요.')
    else if (signsOf(clean) > max) bad[path] = t('{max}자 이하여야 합니다.', { max })
  }
  /** One of the languages may be empty: it then says what the other one does. */
  function both(path: string, { en, ko }: Both, rules: Rules): void {
    const isAnyFilled = `${en}${ko}`.trim() !== ''
    text(`${path}.en`, en, { ...rules, isOptional: rules.isOptional || isAnyFilled })
    text(`${path}.ko`, ko, { ...rules, isOptional: true })
  }
  function prize(path: string, value: DraftPrize): void {
    both(`${path}.name`, value.name, { max: most.name })
    text(`${path}.value`, value.value, { max: most.value })
    both(`${path}.about`, value.about, { max: most.about, lines: 'several', isOptional: true })
    if (wholeIn(value.copies) < 1 || wholeIn(value.copies) > mostWinners)
      bad[`${path}.copies`] = t('1에서 {mostWinners} 사이의 정수를 입력하세요.', { mostWinners })
    const cents = centsIn(value.amount)
    if (value.kind === 'token' && (cents < 1 || cents > mostPrizeCents))
      bad[`${path}.amount`] = t('금액을 USDT로 입력하세요. 예: 500 또는 99.50')
    for (const [at, fact] of value.facts.entries()) {
      both(`${path}.facts.${at}.name`, fact.name, { max: most.factName })
      both(`${path}.facts.${at}.value`, fact.value, { max: most.factValue })
    }
    for (const [at, { alt }] of value.pictures.entries())
      both(`${path}.pictures.${at}.alt`, alt, { max: most.alt })
  }

  both('title', draft.title, { max: most.titleLines * (most.titleLine + 1), lines: 'several' })
  for (const language of ['en', 'ko'] as const) {
    const lines = (cleanText(draft.title[language], 'several') ?? '').split('\n')
    if (lines.length > most.titleLines || lines.some((line) => signsOf(line) > most.titleLine))
      bad[`title.${language}`] = t('한 줄 {titleLine}자, {titleLines}줄 이하여야 합니다.', {
        titleLine: most.titleLine,
        titleLines: most.titleLines,
      })
    else if (lines.length > 1 && lines.includes('')) bad[`title.${language}`] = t('빈 줄은 둘 수 없습니다.')
  }
  both('lead', draft.lead, { max: most.lead, lines: 'several' })
  both('summary', draft.summary, { max: most.summary })
  for (const [at, one] of draft.prizes.entries()) prize(`prizes.${at}`, one)
  const winners = winnersOf(draft)
  if (winners > mostWinners)
    bad.prizes = t('경품 수량의 합은 {mostWinners} 이하여야 합니다. 지금은 {winners}입니다.', {
      mostWinners,
      winners,
    })
  both('shipping', draft.shipping, { max: most.shipping, lines: 'several', isOptional: true })
  for (const [at, { label, url }] of draft.links.entries()) {
    both(`links.${at}.label`, label, { max: most.label })
    if (!isWebAddress(url.trim())) bad[`links.${at}.url`] = t('https:// 로 시작하는 주소를 입력하세요.')
    else if (signsOf(url) > most.url)
      bad[`links.${at}.url`] = t('{url}자 이하여야 합니다.', { url: most.url })
  }
  return { bad, missing }
}

const unseenText = t('제어 문자나 글의 방향을 바꾸는 문자는 쓸 수 없습니다.')

export const winnersOf = ({ prizes }: Pick<ContentDraft, 'prizes'>): number =>
  prizes.reduce((sum, { copies }) => sum + wholeIn(copies), 0)

const isWebAddress = (url: string): boolean => /^https:\/\/[^\s\\]+$/i.test(url) && URL.canParse(url)
