import { expect, test } from 'vitest'
import { bodyOf, changesBetween, draftOf, wrongIn } from '../ui/draft.ts'
import { countryNames, ruleFields } from './HouseRules.tsx'

const rules = { minAge: 19, requireAcceptance: false, closedCountries: ['KR', 'US'] }
const fields = ruleFields(false)
const saved = draftOf(fields, rules)
type Draft = typeof saved
const changesIn = (part: Partial<Draft>) => {
  const draft = { ...saved, ...part }
  return bodyOf(
    fields,
    draft,
    changesBetween(fields, saved, draft).map(({ name }) => name),
  )
}
const wrongFields = (part: Partial<Draft>) => wrongIn(fields, saved, { ...saved, ...part }).bad

test('only what differs is sent, however the countries are typed', () => {
  expect(changesIn({})).toEqual({})
  expect(changesIn({ closedCountries: ' us,kr KR ' })).toEqual({})
  expect(changesIn({ minAge: ' ', closedCountries: 'us, jp' })).toEqual({
    minAge: null,
    closedCountries: ['JP', 'US'],
  })
  expect(changesIn({ requireAcceptance: true })).toEqual({ requireAcceptance: true })
})

test('an age that no rule can have, and a country that does not exist, are named', () => {
  expect(wrongFields({})).toEqual({})
  for (const minAge of ['13', '31', '1e1', '19.5', '-19', 'x'])
    expect(wrongFields({ minAge })).toEqual({ minAge: expect.any(String) })
  expect(wrongFields({ closedCountries: 'KR, UK, XX' }).closedCountries).toContain('UK, XX')
})

test('countries are shown by their Korean names', () => {
  expect(countryNames(['KR', 'US', 'XX'])).toBe('대한민국 (KR), 미국 (US)')
})
