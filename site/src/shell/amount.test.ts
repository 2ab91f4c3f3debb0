import { expect, test } from 'vitest'
import { unitsText, usdt } from './amount.ts'

test('amounts have separators, and cents only where there are some', () => {
  expect([300, 9_950, 100_000, 370_350_000, 123_456_789_05n].map(usdt)).toEqual([
    ...['3', '99.50', '1,000', '3,703,500', '123,456,789.05'],
  ])
})

test('amounts are told to the last digit, or to as many as asked for', () => {
  expect(unitsText(3n * 10n ** 18n)).toBe('3')
  expect(unitsText(1_234_500_000_000_000_000_001n)).toBe('1,234.500000000000000001')
  expect(unitsText(41_239_999_999_999_999n, 4)).toBe('0.0412')
  expect(unitsText(0n)).toBe('0')
})
