import { expect, test } from 'vitest'
import { together } from './together.ts'

test('a crowd is answered by two questions: the one under way, and one for all who came meanwhile', async () => {
  const asked: number[][] = []
  const double = together(async (items: number[]) => {
    asked.push(items)
    await Bun.sleep(5)
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(asked).toEqual([[1], [2, 3, 4]])
  expect(await double(5)).toBe(10)
})

test('questions are put 10 ms apart, however quickly they are answered (A1)', async () => {
  const askedAt: number[] = []
  const ask = together(async (items: number[]) => {
    askedAt.push(performance.now())
    return items
  })
  for (const item of [1, 2, 3]) expect(await ask(item)).toBe(item)
  const gaps = askedAt.slice(1).map((at, i) => at - (askedAt[i] as number))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(9)
})

test('nobody is told what was true before he asked', async () => {
  let truth = 'old'
  const ask = together(async (items: undefined[]) => {
    const found = truth
    await Bun.sleep(5)
    return items.map(() => found)
  })
  const before = ask(undefined)
  truth = 'new'
  expect(await Promise.all([before, ask(undefined)])).toEqual(['old', 'new'])
})

test('a question that fails fails for those it was asked for alone', async () => {
  let isDown = true
  const ask = together(async (items: number[]) => {
    if (isDown) throw new Error('down')
    return items
  })
  const first = ask(1)
  await expect(first).rejects.toThrow('down')
  isDown = false
  expect(await ask(2)).toBe(2)
})

test('of a crowd that is answered together one goes on at each turn of the event loop (A1)', async () => {
  const ask = together(async (items: number[]) => items)
  const gone: number[] = []
  const crowd = [0, 1, 2, 3, 4].map(async (item) => gone.push(await ask(item)))
  const seen: number[] = []
  while (gone.length < 5) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(gone.length)
  }
  await Promise.all(crowd)
  expect(gone).toEqual([0, 1, 2, 3, 4])
  // The first was asked for alone.
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 2) <= 1)).toBe(true)
})
