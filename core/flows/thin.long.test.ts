import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openThinning } from './thin.ts'

test('keeps every extreme, the first and the last, in order, and no more than 500 points', () => {
  const anyAmount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyAmount, anyAmount), { minLength: 1, maxLength: 6_000, size: 'max' }),
      (amounts) => {
        const thinning = openThinning()
        for (const [at, [held, required]] of amounts.entries())
          thinning.add({ at, block: BigInt(at), held, required, cover: held - required })
        const points = thinning.points()
        expect(points.length).toBeLessThanOrEqual(500)
        const blocks = points.map(({ block }) => block)
        expect(blocks).toEqual([...new Set(blocks)].sort((a, b) => a - b))
        expect([blocks[0], blocks.at(-1)]).toEqual([0, amounts.length - 1])
        const all = amounts.map(([held, required]) => ({ held, required, cover: held - required }))
        for (const name of ['held', 'required', 'cover'] as const) {
          const sorted = (values: bigint[]) => values.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
          const [told, kept] = [all.map((one) => one[name]), points.map((one) => BigInt(one[name]))].map(
            sorted,
          )
          expect([kept?.[0], kept?.at(-1)]).toEqual([told?.[0], told?.at(-1)])
        }
      },
    ),
    { numRuns: 40 },
  )
})
