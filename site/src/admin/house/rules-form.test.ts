import { expect, test } from 'vitest'
import { changesIn, countryNames, draftOf, type HouseRules, wrongFields } from './rules-form.ts'

const rules: HouseRules = {
  ...{ minAge: 19, requireAcceptance: false, closedCountries: ['KR', 'US'] },
  ...{ terms: null, privacy: null, version: 3, countryHeader: null, ownCountries: [] },
}

test('only what differs is sent, however the countries are typed', () => {
  const draft = draftOf(rules)
  expect(changesIn(rules, draft)).toBeUndefined()
  expect(changesIn(rules, { ...draft, countries: ' us,kr KR ' })).toBeUndefined()
  expect(changesIn(rules, { ...draft, minAge: ' ', countries: 'us, jp' })).toEqual({
    minAge: null,
    closedCountries: ['JP', 'US'],
  })
  expect(changesIn(rules, { ...draft, requireAcceptance: true })).toEqual({ requireAcceptance: true })
})

test('an age that no rule can have, and a country that does not exist, are named', () => {
  const draft = draftOf(rules)
  expect(wrongFields(draft)).toEqual({})
  for (const minAge of ['13', '31', '1e1', '19.5', '-19', 'x'])
    expect(wrongFields({ ...draft, minAge })).toEqual({ minAge: expect.any(String) })
  expect(wrongFields({ ...draft, countries: 'KR, UK, XX' }).countries).toContain('UK, XX')
})

test('countries are shown by their Korean names', () => {
  expect(countryNames(['KR', 'US', 'XX'])).toBe('대한민국 (KR), 미국 (US)')
})
