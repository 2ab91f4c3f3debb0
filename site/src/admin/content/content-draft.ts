import { cleanText } from '../../../../core/content/clean-text.ts'
import type { Both, ContentPrize, EventContent, Picture } from '../../../../core/content/event-content.ts'
import type { ContentForm } from '../../../../core/content/read-content.ts'
import { formatCents, parseCents } from '../../../../core/money.ts'

/** `id` names a row of a list while it is moved; it is not saved. */
export type Row<T> = T & { id: string }
export type DraftFact = Row<{ name: Both; value: Both }>
export type DraftLink = Row<{ label: Both; url: string }>
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
/** A content as its fields show it. */
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
const rowOf = <T>(value: T): Row<T> => ({ ...value, id: `row-${++rows}` })

export const emptyFact = (): DraftFact => rowOf({ name: none, value: none })
export const emptyLink = (): DraftLink => rowOf({ label: none, url: '' })
export const newPicture = (picture: Omit<DraftPicture, 'id' | 'alt'>): DraftPicture =>
  rowOf({ ...picture, alt: none })
export const emptyPrize = (): DraftPrize =>
  rowOf({
    ...{ name: none, value: '', kind: 'goods' as const, amount: '', copies: '1', about: none },
    ...{ facts: [], pictures: [] },
  })
const emptyDraft = (): ContentDraft => ({
  ...{ title: none, lead: none, summary: none, shipping: none, links: [] },
  prizes: [emptyPrize()],
})

export function draftOf(content: EventContent | null): ContentDraft {
  if (!content) return emptyDraft()
  const { title, lead, summary, prizes, shipping, links } = content
  return {
    ...{ title, lead, summary, shipping },
    prizes: prizes.map(({ amount, copies, facts, pictures, ...prize }) =>
      rowOf({
        ...prize,
        amount: amount === null ? '' : formatCents(BigInt(amount)),
        copies: `${copies}`,
        facts: facts.map(rowOf),
        pictures: pictures.map(({ key, width, height, alt }) => rowOf({ key, width, height, alt })),
      }),
    ),
    links: links.map(rowOf),
  }
}

/** As the API takes it: texts in their one form, and what is no number as 0, which no form sends. */
export function formOf(draft: ContentDraft): ContentForm {
  return {
    title: both(draft.title),
    lead: both(draft.lead),
    summary: both(draft.summary),
    prizes: draft.prizes.map(({ name, value, kind, amount, copies, about, facts, pictures }) => ({
      ...{ name: both(name), value: clean(value), kind, about: both(about) },
      amount: kind === 'token' ? centsIn(amount) : null,
      copies: wholeIn(copies),
      facts: facts.map((fact) => ({ name: both(fact.name), value: both(fact.value) })),
      pictures: pictures.map(({ key, alt }) => ({ key, alt: both(alt) })),
    })),
    shipping: both(draft.shipping),
    links: draft.links.map(({ label, url }) => ({ label: both(label), url: clean(url) })),
  }
}

/** What the preview shows of a draft that may be half done; its pictures are told by nobody but this page. */
export function shownOf(draft: ContentDraft): EventContent {
  const form = formOf(draft)
  return {
    ...form,
    prizes: form.prizes.map((prize, at) => ({
      ...prize,
      copies: Math.max(1, prize.copies),
      pictures: (draft.prizes[at]?.pictures ?? []).map(({ key, width, height, alt }) => ({
        ...{ key, width, height, alt, sha256: '0x' as const },
      })),
    })),
  }
}

/** Another spelling of the same content is no change. */
export const isSameDraft = (a: ContentDraft, b: ContentDraft): boolean =>
  JSON.stringify(formOf(a)) === JSON.stringify(formOf(b))

export const centsIn = (amount: string): number => Number(parseCents(amount.replaceAll(/[\s,]/g, '')) ?? 0n)
export const wholeIn = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : 0)

/** A text that the server would refuse is sent as it is, so that the server says what is wrong with it. */
const clean = (text: string): string => cleanText(text, 'several') ?? text
const both = ({ en, ko }: Both): Both => ({ en: clean(en), ko: clean(ko) })
