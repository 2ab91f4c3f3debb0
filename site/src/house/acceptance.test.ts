import { expect, test } from 'vitest'
import { noRules, type PublicRules } from '../../../core/house/rules.ts'
import { confirmed, missing } from './acceptance.ts'

const version = (digit: string) => ({
  sha256: `0x${digit.repeat(64)}` as const,
  savedAt: '2026-01-01T00:00:00.000Z',
})
const rules: PublicRules = {
  ...noRules,
  ...{ minAge: 19, requireAcceptance: true, terms: version('a'), privacy: version('b') },
}
const all = { termsSha256: version('a').sha256, privacySha256: version('b').sha256, age: 19 }

test('a buyer is asked for what this browser has not confirmed, and again once a text or the age changes', () => {
  expect(missing(rules, {})).toEqual(all)
  expect(missing(rules, all)).toEqual({})
  expect(missing(rules, { ...all, age: 30 })).toEqual({})
  expect(missing({ ...rules, minAge: 20 }, all)).toEqual({ age: 20 })
  expect(missing({ ...rules, terms: version('c') }, all)).toEqual({ termsSha256: version('c').sha256 })
})

test('nothing is asked without a rule, and no text where none has to be accepted', () => {
  expect(missing(noRules, {})).toEqual({})
  expect(missing({ ...rules, requireAcceptance: false, minAge: null }, {})).toEqual({})
})

test('what an older page or another program stored confirms nothing', () => {
  expect(missing(rules, { age: 'old' as never, termsSha256: 7 as never })).toEqual(all)
})

test('beside a payment only what was confirmed is said, and no version that came since', () => {
  expect(confirmed(rules, all)).toEqual(all)
  expect(confirmed({ ...rules, terms: version('c'), minAge: 20 }, all)).toEqual({
    privacySha256: all.privacySha256,
  })
  expect(confirmed(rules, { ...all, age: 30 })).toEqual(all)
  expect([confirmed(rules, {}), confirmed(noRules, all)]).toEqual([{}, {}])
})
