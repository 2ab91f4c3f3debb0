import { expect, test } from 'vitest'
import { openLastWord } from './last-word.ts'

test('a server without its database does not say that what is known still holds', () => {
  const word = openLastWord()
  word.snapshot()
  word.beat({ now: 10, stale: false })
  word.change(12)
  expect(word.at()).toBe(12)
  word.beat({ now: 15, stale: true })
  word.change(16)
  expect(word.at()).toBe(12)
  word.beat({ now: 20, stale: false })
  expect(word.at()).toBe(20)
})

test('nor does another tab that hands its state on', () => {
  const word = openLastWord()
  word.snapshot()
  word.change(12)
  expect(word.at()).toBe(0)
  word.beat({ now: 15, stale: false })
  word.snapshot()
  word.change(16)
  expect(word.at()).toBe(15)
})
