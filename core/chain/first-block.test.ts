import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFirstBlock } from './first-block.ts'

/** A chain by the seconds between its blocks, of which a node keeps the newest. */
const nodes = fc
  .record({
    gaps: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 300 }),
    pruned: fc.nat({ max: 300 }),
    time: fc.integer({ min: -1, max: 900 }),
    from: fc.nat({ max: 300 }),
  })
  .map(({ gaps, pruned, time, from }) => {
    let clock = 0
    const times = gaps.map((gap) => (clock += gap))
    const first = times.findIndex((each) => each >= time)
    const answer = first < 0 ? times.length : first
    const head = { number: times.length - 1, timestamp: times.at(-1) as number }
    return { times, time, head, answer, pruned: Math.min(pruned, head.number), from: Math.min(from, answer) }
  })

test('the answer is the first block since the time, or the block that is missing to tell', () =>
  fc.assert(
    fc.asyncProperty(nodes, async ({ times, time, head, answer, pruned, from }) => {
      const asked: number[] = []
      const found = await findFirstBlock(
        async (number) => {
          asked.push(number)
          const timestamp = times[number]
          return number < pruned || timestamp === undefined ? undefined : { timestamp }
        },
        { time, head, from },
      )
      // Told by the block before it, where there is one that the caller does not know already.
      const isTold = answer > head.number || pruned < answer || (pruned === answer && answer === from)
      if (isTold) expect(found).toEqual({ height: answer })
      else expect(found).toEqual({ missing: pruned - 1 })
      expect(Math.min(head.number, ...asked)).toBeGreaterThanOrEqual(Math.min(from, head.number))
    }),
    { numRuns: 2_000 },
  ))

test('a start seconds ago is found with a few questions, however long the chain is', async () => {
  const head = { number: 135_000_000, timestamp: 60_750_000 }
  let asked = 0
  const found = await findFirstBlock(
    async (number) => {
      asked++
      return number < head.number - 600_000 ? undefined : { timestamp: Math.floor(number * 0.45) }
    },
    { time: head.timestamp - 9, head },
  )
  expect(found).toEqual({ height: head.number - 20 })
  expect(asked).toBeLessThan(12)
})
