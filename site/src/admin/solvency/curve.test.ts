import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CoverPoint, curveOf } from './curve.ts'

const start = Date.parse('2055-09-01T00:00:00Z')
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString()
const usdt = (amount: number): string => `${BigInt(amount) * 10n ** 18n}`

test('a step line from the first point to the right edge, with the newest step apart', () => {
  const points = [
    { at: at(0), cover: usdt(100) },
    { at: at(50), cover: usdt(0) },
  ]
  expect(curveOf(points, start + 100_000)).toEqual({
    line: 'M0 60H500V940H1000',
    newest: 'M500 60V940H1000',
    zero: 940,
    lowest: { x: 500, y: 940, ...points[1] },
  })
})

test('what is missing lies below the line of nothing, down to one unit that no hundredth shows', () => {
  const short = curveOf(
    [0, -50].map((cover, index) => ({ at: at(index), cover: usdt(cover) })),
    start,
  )
  expect(short?.zero).toBe(60)
  expect(short?.lowest.y).toBe(940)
  const points = ['2', '1', '-1', '0'].map((cover, index) => ({ at: at(index), cover }))
  expect(curveOf(points, start)?.lowest.cover).toBe('-1')
})

test('there is no line without a point, and a flat one with one', () => {
  expect(curveOf([], start)).toBeUndefined()
  expect(curveOf([{ at: at(0), cover: '0' }], start)?.line).toBe('M0 60H1000')
})

test('every point of any history lies in the square, and the lowest is the smallest', () => {
  const points = fc
    .array(fc.tuple(fc.nat(1_000_000), fc.bigInt(-(10n ** 26n), 10n ** 26n)), { minLength: 1, maxLength: 60 })
    .map((list): CoverPoint[] =>
      list.sort(([a], [b]) => a - b).map(([seconds, cover]) => ({ at: at(seconds), cover: `${cover}` })),
    )
  fc.assert(
    fc.property(points, fc.nat(2_000_000), (list, until) => {
      const curve = curveOf(list, start + until * 1000)
      const numbers = `${curve?.line} ${curve?.newest}`.match(/-?\d+/g)?.map(Number) ?? []
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...numbers)).toBeLessThanOrEqual(1_000)
      const least = list.reduce((min, { cover }) => (BigInt(cover) < min ? BigInt(cover) : min), 10n ** 30n)
      expect(BigInt(curve?.lowest.cover ?? '')).toBe(least)
    }),
  )
})
