import { beforeAll, expect, test } from 'vitest'
import { operator } from '../../e2e/lab/chain.ts'
import { faultyChain, watch } from '../../e2e/lab/faulty-chain.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { book } from '../../e2e/lab/register.ts'
import type { Watch } from './logs.ts'

/** Logs nothing, again and again, until its gas is spent: `LOG0` makes more bytes for gas than anything else. */
const chatterbox = '0x6b5b5f5fa061c3505a115f57005f52600c6014f3'

const world = await faultyChain([])
let payment: string
let sent: string
let block: bigint

beforeAll(async () => {
  const { chain } = world
  const [buyer, stranger] = chain.buyers
  const contract = await chain.deployCode(stranger, chatterbox)
  await chain.rpc('evm_setBlockGasLimit', ['0x3938700'])
  payment = await chain.submitPayment({ from: buyer, cents: 3_00 })
  sent = await chain.submitPayment({ from: operator, to: buyer, cents: 1 })
  for (let calls = 0; calls < 3; calls++)
    await chain.submit({ from: stranger, to: contract, gas: 7_000_000n })
  await chain.mine()
  block = await chain.height()
  await chain.finalize()
})

/** On a clock that stands still: each receipt has megabytes, for which a busy machine may take its time. */
async function read({ more = {}, clock = handClock() }: { more?: Partial<Watch>; clock?: HandClock } = {}) {
  const { transfers } = await world
    .one(clock)
    .transfers({ ...watch, ...more }, { from: block, to: block, head: block })
  return transfers.map(({ transactionHash }) => transactionHash)
}

test('a block whose receipts a stranger has made too large to read holds up nobody: its logs are read', async () => {
  expect(await read()).toEqual([payment])
  expect(await read({ more: { outgoing: { book } } })).toEqual([sent])
})

test('so is one of nodes that refuse its logs too: it is read receipt by receipt', async () => {
  world.a.set('logs-disabled')
  expect(await read()).toEqual([payment])
  expect(world.a.asked('eth_getTransactionReceipt')).toBeGreaterThan(0)
})

test('so is one that nodes fail to tell for its size', async () => {
  world.a.set('block-receipts-500')
  expect(await read()).toEqual([payment])
})

test('so is one whose receipts take nodes too long', async () => {
  world.a.set('block-receipts-hang')
  const clock = handClock()
  const found = read({ clock })
  await world.a.hangs(1)
  clock.advance(5_000)
  expect(await found).toEqual([payment])
})
