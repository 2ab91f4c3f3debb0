import { expect, test } from 'vitest'
import { admissionQueue } from './admission-queue.ts'

test('a burst is admitted in order, one by one and not in one turn of the event loop (A1)', async () => {
  const pass = admissionQueue()
  const through: number[] = []
  const crowd = Array.from({ length: 5 }, (_, i) => pass().then(() => through.push(i)))
  const seen: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(through.length)
  }
  await Promise.all(crowd)
  expect(through).toEqual([0, 1, 2, 3, 4])
  // Never more than one between two turns.
  expect(seen.every((count, turn) => count - (seen[turn - 1] ?? 1) <= 1)).toBe(true)
})

test('a single call does not wait', async () => {
  const pass = admissionQueue()
  let isThrough = false
  void pass().then(() => {
    isThrough = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(isThrough).toBe(true)
})

test('calls beyond the limit are refused at once, and places become free again', async () => {
  const pass = admissionQueue(2)
  const crowd = [pass(), pass(), pass()]
  await expect(pass()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await Promise.all(crowd)
  await pass()
})
