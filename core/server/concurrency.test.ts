import { expect, test, vi } from 'vitest'
import { batch, limit, mapLimit } from './concurrency.ts'

test('what is limited runs so many at a time, in its order, and one that fails frees its place', async () => {
  const run = limit(2)
  let running = 0
  let most = 0
  const begun: number[] = []
  const work = (item: number) => async () => {
    begun.push(item)
    most = Math.max(most, ++running)
    await Bun.sleep(2)
    running--
    if (item === 2) throw new Error('broken')
    return item * 10
  }
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => run(work(item))))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect([most, begun]).toEqual([2, [1, 2, 3, 4, 5]])
})

test('a place that becomes free goes to who waits, not to who comes at that moment', async () => {
  const run = limit(1)
  const order: string[] = []
  const first = run(async () => void order.push('first'))
  const waiting = run(async () => void order.push('waiting'))
  const latecomer = first.then(() => run(async () => void order.push('latecomer')))
  await Promise.all([waiting, latecomer])
  expect(order).toEqual(['first', 'waiting', 'latecomer'])
})

test('more than may wait are refused at once, and room comes back', async () => {
  const run = limit(1, { maxWaiting: 1, refuse: () => new Error('full') })
  const rest = () => Bun.sleep(1)
  const crowd = [run(rest), run(rest)]
  await expect(run(rest)).rejects.toThrow('full')
  await Promise.all(crowd)
  await run(rest)
})

test('items are worked on so many at a time, and answered in their order', async () => {
  const done: number[] = []
  const work = async (ms: number) => {
    await Bun.sleep(ms)
    done.push(ms)
    return `${ms}`
  }
  expect(await mapLimit([20, 2, 1], 2, work)).toEqual(['20', '2', '1'])
  expect(done).toEqual([2, 1, 20])
  expect(await mapLimit([], 2, work)).toEqual([])
})

test('after an item that fails no other is begun', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await Bun.sleep(1)
    if (item === 2) throw new Error('broken')
  }
  await expect(mapLimit([1, 2, 3, 4, 5], 1, work)).rejects.toThrow('broken')
  await Bun.sleep(5)
  expect(begun).toEqual([1, 2])
})

test('a crowd is answered by two questions: the one under way, and one for all who came meanwhile', async () => {
  const asked: number[][] = []
  const double = batch(async (items: number[]) => {
    asked.push(items)
    await Bun.sleep(5)
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(asked).toEqual([[1], [2, 3, 4]])
  expect(await double(5)).toBe(10)
})

test('questions are put 10 ms apart, however quickly they are answered (A1)', async () => {
  let clock = 0
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const sleep = vi.spyOn(Bun, 'sleep').mockImplementation(async (ms) => {
    clock += Number(ms)
  })
  try {
    const askedAt: number[] = []
    const ask = batch(async (items: number[]) => {
      askedAt.push(clock)
      return items
    })
    for (const item of [1, 2, 3]) expect(await ask(item)).toBe(item)
    expect(askedAt).toEqual([0, 10, 20])
  } finally {
    now.mockRestore()
    sleep.mockRestore()
  }
})

test('nobody is told what was true before he asked', async () => {
  let truth = 'old'
  const ask = batch(async (items: undefined[]) => {
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
  const ask = batch(async (items: number[]) => {
    if (isDown) throw new Error('down')
    return items
  })
  const first = ask(1)
  await expect(first).rejects.toThrow('down')
  isDown = false
  expect(await ask(2)).toBe(2)
})

test('of a crowd that is answered together one goes on at each turn of the event loop (A1)', async () => {
  const ask = batch(async (items: number[]) => items)
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
