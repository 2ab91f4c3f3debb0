import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ballRadius, fillDrum, turnDrum } from './drum.ts'

test('fifty balls with 3-digit numbers: mostly paper, a quarter ink, a few gold', () => {
  const balls = fillDrum(() => 0.0071)
  expect(balls).toHaveLength(50)
  expect(new Set(balls.map(({ text }) => text))).toEqual(new Set(['007']))
  const count = (tone: string) => balls.filter((ball) => ball.tone === tone).length
  expect([count('gold'), count('ink') > 8, count('paper') > 28]).toEqual([4, true, true])
})

test('no ball leaves the drum at any speed and frame rate', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.double({ min: 0.001, max: 0.1, noNaN: true }),
          fc.double({ min: 0, max: 1, noNaN: true }),
        ),
        { maxLength: 30 },
      ),
      (frames) => {
        const balls = fillDrum(() => 0.5)
        for (const [seconds, turning] of frames) turnDrum(balls, seconds, turning)
        for (const ball of balls) expect(Math.hypot(ball.x, ball.y)).toBeLessThanOrEqual(1 - ballRadius)
      },
    ),
    { numRuns: 30 },
  )
})
