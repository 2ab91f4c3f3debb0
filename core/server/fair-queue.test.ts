import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** A queue whose work is held until it is let go; `done` is the order in which work began. */
function heldQueue(maxWaiting = 100) {
  const run = fairQueue(1, { maxWaiting, refuse: () => new Error('full') })
  const done: string[] = []
  const free = Promise.withResolvers<void>()
  const all = [run('first', 0, () => free.promise)]
  const add = (who: string, rank: number, name = who) => {
    const one = run(who, rank, async () => void done.push(name))
    all.push(one)
    one.catch(() => undefined)
    return one
  }
  const letGo = async () => {
    free.resolve()
    await Promise.allSettled(all)
    return done
  }
  return { add, letGo }
}

test('the lowest rank goes first, equal ones in the order of their calls', async () => {
  const { add, letGo } = heldQueue()
  add('a', 5)
  add('b', 1)
  add('c', 5)
  add('d', -1)
  expect(await letGo()).toEqual(['d', 'b', 'a', 'c'])
})

test('one who sends a hundred lets a newcomer pass after his first', async () => {
  const { add, letGo } = heldQueue()
  for (let i = 0; i < 50; i++) add('flood', 0, 'flood')
  add('newcomer', 0)
  expect((await letGo()).indexOf('newcomer')).toBe(1)
})

test('a full queue refuses the last in line, not the newcomer', async () => {
  const { add, letGo } = heldQueue(3)
  add('flood', 0, 'flood 1')
  add('flood', 0, 'flood 2')
  const last = add('flood', 0, 'flood 3')
  add('newcomer', 0)
  await expect(last).rejects.toThrow('full')
  await expect(add('flood', 0, 'flood 4')).rejects.toThrow('full')
  expect(await letGo()).toEqual(['flood 1', 'newcomer', 'flood 2'])
})

test('places become free again, after failures too', async () => {
  const run = fairQueue(2, { maxWaiting: 0, refuse: () => new Error('full') })
  for (let i = 0; i < 3; i++)
    await expect(run('a', 0, () => Promise.reject(new Error('own')))).rejects.toThrow('own')
  const free = Promise.withResolvers<void>()
  const both = [run('a', 0, () => free.promise), run('a', 0, () => free.promise)]
  await expect(run('b', 0, async () => undefined)).rejects.toThrow('full')
  free.resolve()
  await Promise.all(both)
  expect(await run('b', 0, async () => 7)).toBe(7)
})
