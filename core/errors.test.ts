import { expect, test } from 'vitest'
import en from './error-texts/en.json'
import ko from './error-texts/ko.json'
import { errorSentence, errors, RaffleError } from './errors.ts'

type Sentences = Record<string, string | Record<string, string>>
const sentencesOf = (texts: Sentences) =>
  Object.entries(texts).flatMap(([code, of]) =>
    typeof of === 'string'
      ? [{ code, values: {}, text: of }]
      : Object.entries(of).map(([reason, text]) => ({ code, values: { reason }, text })),
  )
const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()

test('each code has its sentences in both languages', () => {
  expect(Object.keys(en).sort()).toEqual([...Object.keys(errors), 'INTERNAL'].sort())
  const english = sentencesOf(en)
  expect(english.length).toBeGreaterThan(200)
  for (const { code, values, text } of english) {
    const korean = errorSentence(ko, { code, values }) ?? ''
    expect([code, values, errorSentence(en, { code, values })]).toEqual([code, values, text])
    expect([code, values, /[가-힣]/.test(korean), /[가-힣]/.test(text)]).toEqual([code, values, true, false])
    // Korean may leave a value out, and never speaks of one that is not sent.
    expect([code, values, holes(korean).filter((name) => !holes(text).includes(name))]).toEqual([
      code,
      values,
      [],
    ])
  }
  expect(sentencesOf(ko).length).toBe(english.length)
})

test('the table names the values of each sentence', () => {
  const filled = sentencesOf(en).flatMap(({ code, values, text }) => {
    const names = holes(text).filter((name) => name !== 'name')
    return names.length === 0 ? [] : [[Object.values({ code, ...values }).join(' '), names]]
  })
  const named = Object.entries(errors).flatMap(([code, meaning]) => {
    const values = 'values' in meaning ? meaning.values : []
    if (Array.isArray(values)) return values.length > 0 ? [[code, values.toSorted()]] : []
    return Object.entries(values).map(([reason, names]) => [`${code} ${reason}`, names.toSorted()])
  })
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(filled))
})

test('a sentence has its values, and the field where it names one', () => {
  const error = new RaffleError('INVALID_VALUE', {
    reason: 'whole',
    values: { least: 1, most: 20 },
    field: 'place',
  })
  expect(error).toMatchObject({
    message: 'INVALID_VALUE whole',
    values: { reason: 'whole', least: 1, most: 20 },
  })
  expect(errorSentence(ko, error)).toBe('place: 1부터 20까지의 정수여야 합니다.')
  expect(errorSentence(en, { code: 'NOT_FOUND', values: { reason: 'toString' } })).toBeUndefined()
  expect(errorSentence(en, { code: 'constructor' })).toBeUndefined()
})
