import { expect, test } from 'vitest'
import { backlog } from './hub.ts'

test('allows as many of the latest events as fit', () => {
  const log = backlog(1_000)
  expect(log.allowed).toBe(256)
  for (const size of [400, 300, 300, 300]) log.sent(size)
  expect(log.allowed).toBe(3)
  log.sent(900)
  expect(log.allowed).toBe(1)
})

test('one event may be in flight, however long it is', () => {
  const log = backlog(1_000)
  log.sent(1_001)
  expect(log.allowed).toBe(1)
})
