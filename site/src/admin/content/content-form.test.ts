import { expect, test } from 'vitest'
import { contentLimits } from '../../../../core/content/event-content.ts'
import { firstEventContent } from '../../../../core/content/first-event.ts'
import { readContent } from '../../../../core/content/read-content.ts'
import { bodyOf, changesBetween, differencesOf, draftOf } from '../ui/draft.ts'
import {
  type ContentDraft,
  contentFields,
  emptyFact,
  emptyLink,
  emptyPrize,
  moved,
  textAt,
  withAt,
  wrongInContent,
} from './content-draft.ts'

const draft: ContentDraft = draftOf(contentFields, firstEventContent)
const edited = (path: string, value: unknown, from: ContentDraft = draft) => withAt(from, path, value)
const all = (wrong: ReturnType<typeof wrongInContent>) => ({ ...wrong.bad, ...wrong.missing })
const formOf = (content: ContentDraft) => bodyOf(contentFields, content)
const changed = (before: ContentDraft, after: ContentDraft) =>
  changesBetween(contentFields, before, after).map(({ name }) => name)
const isSameDraft = (a: ContentDraft, b: ContentDraft) => changed(a, b).length === 0

test('a content survives the way into the fields and back, and another spelling of it is no change', () => {
  expect(readContent(formOf(draft))).toEqual(readContent(firstEventContent))
  expect(isSameDraft(draft, draftOf(contentFields, firstEventContent))).toBe(true)
  const spaced = edited('prizes.0.name.en', '  Home miner ')
  expect(isSameDraft(draft, spaced)).toBe(true)
  expect(isSameDraft(draft, edited('prizes.0.name.en', 'Other'))).toBe(false)
})

test('each wrong field has its sentence, at the very place that the server names', () => {
  const long = 'x'.repeat(contentLimits.name + 1)
  const cases: [string, unknown][] = [
    ['title.en', 'a\nb\nc\nd'],
    ['title.ko', 'x'.repeat(contentLimits.titleLine + 1)],
    ['lead', { en: '', ko: ' ' }],
    ['summary.en', 'a\u202eb'],
    ['prizes.0.name.ko', long],
    ['prizes.0.value', ''],
    ['prizes.0.copies', '0'],
    ['prizes.0.facts.1.value', { en: '', ko: '' }],
    ['links.0.url', 'javascript:alert(1)'],
    ['links.0.label', { en: '', ko: '' }],
  ]
  expect(all(wrongInContent(draft))).toEqual({})
  for (const [path, value] of cases) {
    const changed = edited(path, value)
    // Of a text that is empty in both languages the server names the first one.
    const field = typeof value === 'object' ? `${path}.en` : path
    expect([path, Object.keys(all(wrongInContent(changed)))]).toEqual([path, [field]])
    expect([path, fieldRefused(changed)]).toEqual([path, `content.${field}`])
  }
  const token = edited('prizes.0', { ...emptyPrize(), ...draft.prizes[0], kind: 'token', amount: '' })
  expect(Object.keys(all(wrongInContent(token)))).toEqual(['prizes.0.amount'])
  expect(fieldRefused(token)).toBe('content.prizes.0.amount')
  const many = edited('prizes', [edited('prizes.0.copies', '19').prizes[0], ...draft.prizes, ...draft.prizes])
  expect(wrongInContent(many).bad).toEqual({ prizes: expect.stringContaining('21') })
  expect(fieldRefused(many)).toBe('content.prizes')
})

function fieldRefused(changed: ContentDraft): string | undefined {
  try {
    readContent(formOf(changed))
  } catch (error) {
    return (error as { field?: string }).field
  }
  return undefined
}

test('rows are added, moved and taken away without touching the others', () => {
  const two = edited('prizes', [...draft.prizes, emptyPrize()])
  expect(moved(two.prizes, 1, 0).map(({ id }) => id)).toEqual(two.prizes.map(({ id }) => id).toReversed())
  expect(moved(two.prizes, 0, 5)).toBe(two.prizes)
  const withFact = edited('prizes.1.facts', [emptyFact()], two)
  expect(withFact.prizes[0]).toBe(draft.prizes[0])
  expect(textAt(edited('prizes.1.facts.0.name.ko', '색', withFact), 'prizes.1.facts.0.name.ko')).toBe('색')
})

test('one language may stay empty: it then says what the other one does', () => {
  const english = edited('shipping.ko', '', edited('lead.ko', '', edited('prizes.0.name.ko', ' ')))
  expect(all(wrongInContent(english))).toEqual({})
  const { lead, shipping, prizes } = readContent(formOf(english))
  expect([lead.ko, shipping.ko, prizes[0]?.name.ko]).toEqual([
    ...[draft.lead.en, draft.shipping.en, draft.prizes[0]?.name.en],
  ])
})

test('after somebody else has saved, what differs is named, and only those parts are taken over', () => {
  const differences = (after: ContentDraft) =>
    differencesOf(contentFields, draft, after, changed(draft, after))
  const theirs = edited('prizes.0.value', '$9')
  expect(differences(theirs)).toEqual([{ label: '경품 1 값', from: '$2,500', to: '$9' }])
  expect(changed(draft, theirs)).toEqual(['prizes'])
  const linked = edited('links', [...draft.links, { ...emptyLink(), url: 'https://a.example' }])
  expect(differences(linked)).toEqual([{ label: '링크 2 주소', from: '', to: 'https://a.example' }])
})
