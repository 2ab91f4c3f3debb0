import { expect, test } from 'vitest'
import { usdt } from './usdt.ts'

test('amounts have separators, and cents only where there are some', () => {
  expect([300, 9_950, 100_000, 370_350_000, 123_456_789_05n].map(usdt)).toEqual([
    ...['3', '99.50', '1,000', '3,703,500', '123,456,789.05'],
  ])
})
