import { expect, test } from 'vitest'
import { coverOf } from './cover.ts'

const open = (...units: number[]) =>
  units.map((each, index) => ({ paymentId: index + 1, since: BigInt(index), units: BigInt(each) }))
const taken = (units: number[], ahead: number, waived: number | null) =>
  coverOf(open(...units), BigInt(ahead), waived === null ? null : BigInt(waived)).map(
    ({ paymentId }) => paymentId,
  )

test('the oldest payments, until what was paid is reached', () => {
  expect(taken([10, 20, 30], 25, 60)).toEqual([1, 2])
  expect(taken([10, 20, 30], 60, null)).toEqual([1, 2, 3])
  expect(taken([40, 20, 30], 20, 30)).toEqual([2])
})

test('others where the oldest take the room of what was waived', () => {
  expect(taken([20, 50], 50, 50)).toEqual([2])
  expect(taken([20, 30, 10, 50], 90, 90)).toEqual([2, 3, 4])
  expect(taken([20, 50], 60, 60)).toEqual([1])
})

test('many payments of all sizes are soon done with', () => {
  const units = Array.from({ length: 400 }, (_, index) => 1_000_003 + 2 ** (index % 40))
  expect(taken(units, 400_000_001, 400_000_001).length).toBeGreaterThan(0)
})
