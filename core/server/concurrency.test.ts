import { expect, test } from 'vitest'
import { limit, mapLimit, sharing } from './concurrency.ts'

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
  let asked = 0
  const ask = sharing(async () => {
    asked += 1
    await turn()
    return asked
  })
  const first = ask()
  await Promise.resolve()
  expect(await Promise.all([first, ask(), ask(), ask()])).toEqual([1, 2, 2, 2])
  expect(await ask()).toBe(3)
})

test('nobody is told what was true before he asked', async () => {
  let truth = 'old'
  const ask = sharing(async () => {
    const found = truth
    await turn()
    return found
  })
  const before = ask()
  await Promise.resolve()
  truth = 'new'
  expect(await Promise.all([before, ask()])).toEqual(['old', 'new'])
})

test('a question that fails fails for those it was asked for alone', async () => {
  let isDown = true
  const ask = sharing(async () => {
    await turn()
    if (isDown) throw new Error('down')
    return 'up'
  })
  const first = ask()
  await expect(first).rejects.toThrow('down')
  isDown = false
  expect(await ask()).toBe('up')
})
