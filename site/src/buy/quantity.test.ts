import { expect, test } from 'vitest'
import { parseQuantity } from './Quantity.tsx'

test('accepts whole numbers from 1', () => {
  expect(['1', '33', ' 7 ', '007', '10000000000'].map(parseQuantity)).toEqual([1, 33, 7, 7, 10_000_000_000])
})

test('ignores everything else', () => {
  const texts = ['', '0', '-1', '2.5', '1e3', 'abc', '0x10', '١', '99999999999', '1 000', 'NaN', 'Infinity']
  expect(texts.map(parseQuantity)).toEqual(texts.map(() => undefined))
})
