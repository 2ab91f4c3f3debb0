import { expect, test } from 'vitest'
import { passingClock } from '../../e2e/lab/hand-clock.ts'
import { batch, limit, mapLimit } from './concurrency.ts'

/** Others go on meanwhile. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('what is limited runs so many at a time, in its order, and one that fails frees its place', async () => {
  const run = limit(2)
  let running = 0
  let most = 0
  const begun: number[] = []
  const work = (item: number) => async () => {
    begun.push(item)
    most = Math.max(most, ++running)
    await turn()
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
  const crowd = [run(turn), run(turn)]
  await expect(run(turn)).rejects.toThrow('full')
  await Promise.all(crowd)
  await run(turn)
})

test('items are worked on so many at a time, and answered in their order', async () => {
  const done: number[] = []
  const areDone = Promise.withResolvers<void>()
  const work = async (item: number) => {
    if (item === 1) await areDone.promise
    if (done.push(item) === 2) areDone.resolve()
    return `${item}`
  }
  expect(await mapLimit([1, 2, 3], 2, work)).toEqual(['1', '2', '3'])
  expect(done).toEqual([2, 3, 1])
  expect(await mapLimit([], 2, work)).toEqual([])
})

test('after an item that fails no other is begun', async () => {
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    await turn()
    if (item === 2) throw new Error('broken')
  }
  await expect(mapLimit([1, 2, 3, 4, 5], 1, work)).rejects.toThrow('broken')
  await turn()
  expect(begun).toEqual([1, 2])
})

test('a crowd is answered by two questions: the one under way, and one for all who came meanwhile', async () => {
  const asked: number[][] = []
  const double = batch(async (items: number[]) => {
    asked.push(items)
    await turn()
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(asked).toEqual([[1], [2, 3, 4]])
  expect(await double(5)).toBe(10)
})

test('questions are put 10 ms apart, however quickly they are answered (A1)', async () => {
  const clock = passingClock()
  const askedAt: number[] = []
  const ask = batch(async (items: number[]) => {
    askedAt.push(clock.now())
    return items
  }, clock)
  for (const item of [1, 2, 3]) expect(await ask(item)).toBe(item)
  expect(askedAt).toEqual([0, 10, 20])
})

test('nobody is told what was true before he asked', async () => {
  let truth = 'old'
  const ask = batch(async (items: undefined[]) => {
    const found = truth
    await turn()
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
    await turn()
    seen.push(gone.length)
  }
  await Promise.all(crowd)
  expect(gone).toEqual([0, 1, 2, 3, 4])
  // The first was asked for alone.
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 2) <= 1)).toBe(true)
})
