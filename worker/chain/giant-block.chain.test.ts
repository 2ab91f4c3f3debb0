import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isTemporary } from '../../core/errors.ts'
import { retry } from '../../core/server/time.ts'
import { type FaultyChain, openFaultyChain, watch } from '../../e2e/lab/faulty-chain.ts'
import { connectChain } from './index.ts'

/** Logs nothing, again and again, until its gas is spent: `LOG0` makes more bytes for gas than anything else. */
const chatterbox = '0x6b5b5f5fa061c3505a115f57005f52600c6014f3'

let world: FaultyChain
let payment: string
let block: bigint

beforeAll(async () => {
  world = await openFaultyChain()
  const { chain } = world
  const [buyer, stranger] = chain.buyers
  const contract = await chain.deployCode(stranger, chatterbox)
  await chain.rpc('evm_setBlockGasLimit', ['0x3938700'])
  payment = await chain.submitPayment({ from: buyer, cents: 3_00 })
  for (let calls = 0; calls < 3; calls++)
    await chain.submit({ from: stranger, to: contract, gas: 12_000_000n })
  await chain.mine()
  block = await chain.height()
  await chain.finalize()
})
afterAll(() => world.stop())

/** As a job reads, which is tried again where the nodes took too long: each receipt has megabytes. */
async function read(outgoing: boolean) {
  const reader = connectChain([world.a.url, world.b.url], 56)
  const { transfers } = await retry(
    () => reader.transfers({ ...watch, outgoing }, { from: block, to: block, head: block }),
    (error, attempt) => isTemporary(error) && attempt < 5,
  )
  return transfers.map(({ transactionHash }) => transactionHash)
}

beforeEach(() => {
  world.a.set()
  world.b.set()
})

test('a block whose receipts a stranger has made too large to read holds up nobody: its logs are read', async () => {
  const receipts = await world.chain.rpc('eth_getBlockReceipts', [`0x${block.toString(16)}`])
  expect(JSON.stringify(receipts).length).toBeGreaterThan(16 * 1_048_576)
  expect(await read(false)).toEqual([payment])
  expect(await read(true)).toEqual([])
})

test('so is one of nodes that refuse its logs too: it is read receipt by receipt', async () => {
  for (const node of [world.a, world.b]) node.set('logs-disabled')
  expect(await read(false)).toEqual([payment])
})

test.each(['block-receipts-500', 'block-receipts-hang'] as const)(
  'so is one that nodes fail to tell for its size, in their own way: %s',
  async (fault) => {
    for (const node of [world.a, world.b]) node.set(fault)
    expect(await read(false)).toEqual([payment])
  },
  240_000,
)
