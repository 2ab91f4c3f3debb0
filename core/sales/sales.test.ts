import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketSecondsFor, mostBuckets } from './sales.ts'

test('a sale of any length has at most 120 spans, none longer than it has to be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 * 365 * 86_400 }), (seconds) => {
      const length = bucketSecondsFor(seconds)
      expect(Math.ceil(seconds / length)).toBeLessThanOrEqual(mostBuckets)
      expect(length % 60).toBe(0)
    }),
  )
  expect([0, 7_200, 7_201, 30 * 86_400, 400 * 86_400].map(bucketSecondsFor)).toEqual([
    ...[60, 60, 300, 21_600, 604_800],
  ])
})
