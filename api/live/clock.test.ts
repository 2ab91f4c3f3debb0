import { expect, test } from 'vitest'
import { databaseClock } from './hub.ts'

test('runs on between readings, independent of the clock of this machine', () => {
  let monotonic = 100
  const clock = databaseClock(() => monotonic)
  clock.read(5_000_000)
  monotonic += 1_500
  expect(clock.now()).toBe(5_001_500)
})

test('a delayed reading does not hold the clock back', () => {
  let monotonic = 0
  const clock = databaseClock(() => monotonic)
  clock.read(5_000_000)
  monotonic += 1_000
  expect(clock.read(5_001_000 - 800)).toBe(false)
  expect(clock.now()).toBeGreaterThanOrEqual(5_000_999)
})

test('Q6: jumps with the database, forward at once and back when it was set back', () => {
  const clock = databaseClock(() => 0)
  clock.read(5_000_000)
  expect(clock.read(5_060_000)).toBe(true)
  expect(clock.now()).toBe(5_060_000)
  expect(clock.read(5_000_000)).toBe(true)
  expect(clock.now()).toBe(5_000_000)
})
