import { expect, test } from 'vitest'
import { openLastWord } from './last-word.ts'

test('a server without its database does not say that what is known still holds', () => {
  const word = openLastWord()
  word.snapshot()
  word.beat({ version: 7, now: 10, stale: false }, 7)
  word.change(12)
  expect(word.at()).toBe(12)
  word.beat({ version: 7, now: 15, stale: true }, 7)
  word.change(16)
  expect(word.at()).toBe(12)
  word.beat({ version: 7, now: 20, stale: false }, 7)
  expect(word.at()).toBe(20)
})

test('of answers that were polled the stream heard nothing, as they have another clock', () => {
  const word = openLastWord()
  word.polled({ now: 900, stale: false })
  expect([word.at(), word.heardAt()]).toEqual([900, 0])
  word.beat({ version: 7, now: 10, stale: false }, 7)
  word.change(12)
  expect([word.at(), word.heardAt()]).toEqual([900, 12])
  word.polled({ now: 950, stale: true })
  word.change(960)
  expect([word.at(), word.heardAt()]).toEqual([900, 12])
})

test('nor does another tab that hands its state on', () => {
  const word = openLastWord()
  word.snapshot()
  word.change(12)
  expect(word.at()).toBe(0)
  word.beat({ version: 7, now: 15, stale: false }, 7)
  word.snapshot()
  word.change(16)
  expect(word.at()).toBe(15)
})

test('nor does a heartbeat of another version than the known one: a change was missed', () => {
  const word = openLastWord()
  word.beat({ version: 7, now: 10, stale: false }, 7)
  word.beat({ version: 8, now: 15, stale: false }, 7)
  word.change(16)
  expect([word.at(), word.heardAt()]).toEqual([10, 10])
  word.beat({ version: 8, now: 20, stale: false }, 8)
  expect([word.at(), word.heardAt()]).toEqual([20, 20])
})
