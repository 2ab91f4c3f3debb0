import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  prizeFields,
  prizesText,
  promisesIn,
  readPrizes,
  textOfPromises,
  wrongPrizes,
} from './prize-draft.ts'

test('promises survive the way into the fields and back, with goods for places that say nothing', () => {
  const promise = fc.oneof(
    fc.constant({ kind: 'goods' as const, amount: null }),
    fc.integer({ min: 1, max: 1_000_000_000 }).map((amount) => ({ kind: 'token' as const, amount })),
  )
  fc.assert(
    fc.property(fc.array(promise, { minLength: 1, maxLength: 20 }), (promises) => {
      const text = textOfPromises(promises)
      const wanted = promises.map(({ kind, amount }) => (kind === 'goods' ? { kind } : { kind, amount }))
      expect(promisesIn(text, `${promises.length}`)).toEqual(wanted)
      expect(readPrizes(text)).toBe(text)
      expect(wrongPrizes(text, `${promises.length}`)).toBeUndefined()
    }),
  )
})

test('an event of goods alone has an empty text, so a draft that was not touched is no change', () => {
  expect(textOfPromises([{ kind: 'goods', amount: null }])).toBe('')
  expect(textOfPromises(null)).toBe('')
  expect(readPrizes('5.00 USDT')).toBe(readPrizes('5 USDT'))
})

test('there are as many fields as winners, and at least one', () => {
  const count = (winners: string) => prizeFields('5 USDT', winners).length
  expect(['3', '1', '0', '', 'x', '99'].map(count)).toEqual([3, 1, 1, 1, 1, 20])
})

test('money without an amount is named by its place; places beyond the winners do not count', () => {
  const text = prizesText([
    { kind: 'goods', amount: '' },
    { kind: 'token', amount: '1,5' },
  ])
  expect(wrongPrizes(text, '2')).toContain('경품 2')
  expect(wrongPrizes(text, '1')).toBeUndefined()
  for (const amount of ['', '0', '-1', '1.234', '99999999999']) {
    expect([amount, wrongPrizes(`${amount} USDT`, '1')]).toEqual([amount, expect.any(String)])
  }
})
