import { expect, test } from 'vitest'
import { latestOnly } from './resource.tsx'

test('a call that a later one has replaced is no longer the latest', () => {
  const begin = latestOnly()
  const isFirstLatest = begin()
  expect(isFirstLatest()).toBe(true)
  const isSecondLatest = begin()
  expect([isFirstLatest(), isSecondLatest()]).toEqual([false, true])
  begin()
  expect([isFirstLatest(), isSecondLatest()]).toEqual([false, false])
})

test('two separate trackers do not affect each other', () => {
  const [one, other] = [latestOnly()(), latestOnly()()]
  expect([one(), other()]).toEqual([true, true])
})
