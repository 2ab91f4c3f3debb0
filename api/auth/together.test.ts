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
