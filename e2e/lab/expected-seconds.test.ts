import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import durations from './durations.json' with { type: 'json' }
import { expectedSeconds } from './expected-seconds.ts'

test('a story that nobody has timed is expected to take longer than a small file, and less than the longest', () => {
  const [longest] = Object.keys(durations) as [string]
  const inOrder = [longest, 'e2e/of-tomorrow.test.ts', 'core/money.test.ts'].map(expectedSeconds)
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a))
  expect(new Set(inOrder).size).toBe(3)
})

test('the list of durations names files that are there, the longest first', () => {
  const root = resolve(import.meta.dirname, '../..')
  expect(Object.keys(durations).filter((file) => !existsSync(join(root, file)))).toEqual([])
  const seconds = Object.values(durations)
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a))
})
