import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeOf, type FaultyChain, openFaultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'

let world: FaultyChain
beforeEach(async () => {
  world = await openFaultyChain()
})
afterEach(() => world.stop())

test('a wrong answer about a block is forgotten with the reading that failed by it', async () => {
  const reader = world.two()
  world.a.set('shifted-transaction-index')
  expect(await codeOf(readAll(reader))).toBe('RPC_DISAGREE')
  world.a.set()
  expect(await readAll(reader)).toEqual(world.payments)
})
