import { expect, test } from 'vitest'
import { codeOf, openFaultyChain } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { connectChain } from '../chain/index.ts'
import { firstBlockSince } from './first-block.ts'

const world = forEachTest(openFaultyChain)
const late = forEachTest(() => hookRpc(world.chain.url))

test.each([1, 2])('a block that of %i nodes one does not have yet ends no search for long', async (count) => {
  const chain = connectChain([late.url, world.a.url].slice(0, count), 56, patient)
  const head = await chain.finalized()
  const { timestamp } = (await chain.header(head.number - 1n)) as { timestamp: number }
  late.hook = ({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && Number(params[0]) === Number(head.number) - 1 ? null : result
  expect(await codeOf(firstBlockSince(chain, timestamp, head))).toBe('RPC_UNAVAILABLE')
  late.hook = (_, result) => result
  expect(await firstBlockSince(chain, timestamp, head)).toBe(
    await firstBlockSince(world.one(), timestamp, head),
  )
})
