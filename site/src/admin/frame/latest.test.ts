import { expect, test } from 'vitest'
import { latestOnly } from './latest.ts'

test('a call that another one has overtaken no longer counts', () => {
  const begin = latestOnly()
  const isFirstLatest = begin()
  expect(isFirstLatest()).toBe(true)
  const isSecondLatest = begin()
  expect([isFirstLatest(), isSecondLatest()]).toEqual([false, true])
  begin()
  expect([isFirstLatest(), isSecondLatest()]).toEqual([false, false])
})

test('two that begin apart do not overtake each other', () => {
  const [one, other] = [latestOnly()(), latestOnly()()]
  expect([one(), other()]).toEqual([true, true])
})
