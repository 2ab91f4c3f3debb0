import { cleanText } from '../../../../core/content/clean-text.ts'
import type { Both, ContentPrize, EventContent, Picture } from '../../../../core/content/event-content.ts'
import type { ContentForm } from '../../../../core/content/read-content.ts'
import { formatCents, parseCents } from '../../../../core/money.ts'

/** `id` names a row of a list while it is moved; it is not saved. */
export type Row<T> = T & { id: string }
type DraftFact = Row<{ name: Both; value: Both }>
type DraftLink = Row<{ label: Both; url: string }>
export type DraftPicture = Row<Pick<Picture, 'key' | 'width' | 'height' | 'alt'>>
export type DraftPrize = Row<{
  name: Both
  value: string
  kind: ContentPrize['kind']
  /** USDT, as typed. */
  amount: string
  copies: string
  about: Both
  facts: readonly DraftFact[]
  pictures: readonly DraftPicture[]
}>
export type ContentDraft = {
  title: Both
  lead: Both
  summary: Both
  prizes: readonly DraftPrize[]
  shipping: Both
  links: readonly DraftLink[]
}

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

/** Each part as its fields show it; an event from before contents were kept has none. */
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

/** As the API takes it: texts in their one form, and what is no number as 0, which no form sends. */
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

export const centsIn = (amount: string): number => Number(parseCents(amount.replaceAll(/[\s,]/g, '')) ?? 0n)
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

/** The list with the row at `from` at `to`; as it is where there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const row = list[from]
  if (row === undefined || to < 0 || to >= list.length) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, row)
}
