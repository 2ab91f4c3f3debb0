import { t } from '../language/t.ts'
import { type ContentDraft, formOf } from './content-draft.ts'

export type ContentChange = { label: string; from: string; to: string }

/** What differs, field by field, as people call the fields; one that is left out on a side is empty there. */
export function changesBetween(before: ContentDraft, after: ContentDraft): ContentChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((label) => (from.get(label) ?? '') !== (to.get(label) ?? ''))
    .map((label) => ({ label, from: from.get(label) ?? '', to: to.get(label) ?? '' }))
}

/** Every value of a content by its name. */
function fieldsOf(draft: ContentDraft): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (label: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [at, one] of value.entries()) walk(`${label} ${at + 1}`, one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) walk(`${label} ${names[name] ?? name}`.trim(), one)
    else if (value !== null) found.set(label, words[`${value}`] ?? `${value}`)
  }
  walk('', formOf(draft))
  return found
}

const names: Record<string, string> = {
  ...{
    title: t('제목'),
    lead: t('소개'),
    summary: t('검색과 공유 요약'),
    prizes: t('경품'),
    shipping: t('배송 안내'),
  },
  ...{
    links: t('링크'),
    name: t('이름'),
    value: t('값'),
    kind: t('종류'),
    amount: t('금액(1/100 USDT)'),
    copies: t('수량'),
  },
  ...{
    about: t('설명'),
    facts: t('정보'),
    pictures: t('사진'),
    key: t('파일'),
    alt: t('대체 텍스트'),
    label: t('이름'),
  },
  ...{ url: t('주소'), en: t('(영어)'), ko: t('(한국어)') },
}
const words: Record<string, string> = { goods: t('배송하는 물건'), token: t('USDT 지급') }

/** The parts of a content that can be taken over one by one after somebody else has saved. */
const parts = ['title', 'lead', 'summary', 'prizes', 'shipping', 'links'] as const

/** `mine` with every part that somebody else changed as he saved it. */
export function withTheirs(mine: ContentDraft, seen: ContentDraft, theirs: ContentDraft): ContentDraft {
  const differs = (part: (typeof parts)[number]) =>
    JSON.stringify(formOf(seen)[part]) !== JSON.stringify(formOf(theirs)[part])
  const taken = parts.filter(differs).map((part) => [part, theirs[part]])
  return { ...mine, ...Object.fromEntries(taken) }
}
