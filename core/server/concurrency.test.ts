import { expect, test } from 'vitest'
import { limit, mapLimit, singleFlight } from './concurrency.ts'

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

const now = () => performance.now()

test('who was here before the question was put shares its answer; who came after it asks anew', async () => {
  let truth = 'old'
  let asked = 0
  const ask = singleFlight(async () => {
    asked++
    return truth
  })
  const crowd = [now(), now(), now()]
  await Bun.sleep(1)
  expect(await Promise.all(crowd.map(ask))).toEqual(['old', 'old', 'old'])
  expect(asked).toBe(1)
  truth = 'new'
  expect(await ask(now())).toBe('new')
  // Late with his question, but true when he came.
  expect(await ask(crowd[0] as number)).toBe('new')
  expect(asked).toBe(2)
})

test('a failure is told to those who wait for it, and the next one asks again', async () => {
  let isDown = true
  const ask = singleFlight(async () => {
    if (isDown) throw new Error('down')
    return 'up'
  })
  const cameAt = now()
  await Bun.sleep(1)
  const crowd = [ask(cameAt), ask(cameAt)]
  for (const answer of crowd) await expect(answer).rejects.toThrow('down')
  isDown = false
  expect(await ask(cameAt)).toBe('up')
})
