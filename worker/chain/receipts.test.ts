import { expect, test } from 'vitest'
import { codeOf, openFaultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'

const world = forEachTest(openFaultyChain)

test('a wrong answer about a block is forgotten with the reading that failed by it', async () => {
  const reader = world.two()
  world.a.set('shifted-transaction-index')
  world.b.set('no-block-receipts', 'null-receipts')
  expect(await codeOf(readAll(reader))).toBe('RPC_DISAGREE')
  world.b.set()
  world.a.set()
  expect(await readAll(reader)).toEqual(world.payments)
})
