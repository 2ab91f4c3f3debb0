import { describe, expect, test } from 'vitest'
import { faultyChain, watch } from '../../e2e/lab/faulty-chain.ts'
import { book } from '../../e2e/lab/register.ts'
import type { Chain } from './index.ts'

const world = await faultyChain()
const { chain } = world
/** Two payments that stand in one block, and its height. */
const two = [
  await chain.submitPayment({ from: chain.buyers[0], cents: 3_00 }),
  await chain.submitPayment({ from: chain.buyers[1], cents: 6_00 }),
]
await chain.mine()
const block = await chain.height()
await chain.finalize()

async function readBlock(reader: Chain, head = block): Promise<string[]> {
  const { transfers } = await reader.transfers(watch, { from: block, to: block, head })
  return transfers.map(({ transactionHash }) => transactionHash).sort()
}

describe('a node tells one of two payments in a block', () => {
  test('the only endpoint: both are found', async () => {
    world.a.set('missing-range-log')
    expect(await readBlock(world.one())).toEqual([...two].sort())
  })

  test('both endpoints leave out the same one: both payments are found', async () => {
    world.a.set('missing-range-log')
    world.b.set('missing-range-log')
    expect(await readBlock(world.two())).toEqual([...two].sort())
  })

  test('block receipts are not served: both are found by the logs of the block itself', async () => {
    world.a.set('missing-range-log', 'no-block-receipts')
    expect(await readBlock(world.one())).toEqual([...two].sort())
  })

  test('long after the block, with one endpoint: both are found', async () => {
    world.a.set('missing-range-log')
    expect(await readBlock(world.one(), block + 5_000n)).toEqual([...two].sort())
    expect(world.a.asked('eth_getBlockReceipts')).toBe(0)
  })
})

test('a node that tells two logs of one place, which the receipts of the block lack, is not believed about them', async () => {
  world.a.set('invented-range-log')
  expect(await readBlock(world.one())).toEqual([...two].sort())
})

test('payments and refunds are looked for in the same receipts; whoever reads again asks again', async () => {
  const reader = world.one()
  const again = { ...watch, outgoing: { book } }
  await readBlock(reader)
  expect(world.a.asked('eth_getBlockReceipts')).toBe(1)
  await reader.transfers(again, { from: block, to: block, head: block })
  expect(world.a.asked('eth_getBlockReceipts')).toBe(1)
  await readBlock(reader)
  expect(world.a.asked('eth_getBlockReceipts')).toBe(2)
})
