import { cleanText, signsOf } from '../../../../core/content/clean-text.ts'
import { type Both, contentLimits as most } from '../../../../core/content/event-content.ts'
import { mostWinners } from '../../../../core/draw/winners.ts'
import { mostPrizeCents } from '../../../../core/prize/promise.ts'
import { t, words } from '../language/t.ts'
import type { Difference, Field, Wrong } from '../ui/draft.ts'
import { type ContentDraft, centsIn, type DraftPrize, forms, shows, wholeIn } from './content-draft.ts'

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

/** What differs, value by value, as people call them; one that is left out on a side is empty there. */
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
