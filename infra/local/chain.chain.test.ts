import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClient, type Hash, http, parseAbi, publicActions, walletActions, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usdtOnBsc } from '../../core/chain/register.ts'
import { secondsFromNow } from '../../e2e/lab/test-time.ts'
import { until } from '../../e2e/lab/until.ts'
import { type LocalChain, operatorAccount, startChain } from './chain.ts'
import { freePort } from './ports.ts'

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function getOwner() view returns (address)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function approve(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
  'function mint(address, uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const token = { address: usdtOnBsc, abi } as const
const usdt = 10n ** 18n
const dir = mkdtempSync(join(tmpdir(), 'blockdraw-chain-'))
const connect = ({ url }: LocalChain) =>
  createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)

let chain: LocalChain
beforeAll(async () => {
  chain = await startChain({ blockTime: null })
})
afterAll(async () => {
  await chain.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('is chain 56 with USDT of 18 decimals at its real address, accounts 1-9 funded', async () => {
  const client = connect(chain)
  const read = (functionName: 'name' | 'symbol' | 'decimals' | 'totalSupply' | 'getOwner') =>
    client.readContract({ ...token, functionName })
  expect(await client.getChainId()).toBe(56)
  expect([await read('name'), await read('symbol'), await read('decimals')]).toEqual([
    'Tether USD',
    'USDT',
    18,
  ])
  expect([await read('totalSupply'), await read('getOwner')]).toEqual([9_000_000n * usdt, zeroAddress])
  const accounts = await client.getAddresses()
  expect(accounts[0]).toBe(operatorAccount)
  const balances = await Promise.all(
    accounts.map((account) => client.readContract({ ...token, functionName: 'balanceOf', args: [account] })),
  )
  expect(balances).toEqual([0n, ...Array(9).fill(1_000_000n * usdt)])
})

test('moves tokens as BSC-USD does: transfer, allowance, zero transfers in any name, no overdraft', async () => {
  const client = connect(chain)
  const [operator, buyer, other] = (await client.getAddresses()) as [
    `0x${string}`,
    `0x${string}`,
    `0x${string}`,
  ]
  const send = { ...token, account: buyer, chain: null } as const
  const mined = async (sending: Promise<Hash>) => client.waitForTransactionReceipt({ hash: await sending })
  const receipt = await mined(
    client.writeContract({ ...send, functionName: 'transfer', args: [operator, 99n * usdt], gas: 90_000n }),
  )
  expect([receipt.status, receipt.logs.length, receipt.logs[0]?.topics.length]).toEqual(['success', 1, 3])

  await mined(client.writeContract({ ...send, functionName: 'approve', args: [other, 5n * usdt] }))
  const spend = { ...token, account: other, chain: null, functionName: 'transferFrom' } as const
  await mined(client.writeContract({ ...spend, args: [buyer, other, 2n * usdt] }))
  expect(await client.readContract({ ...token, functionName: 'allowance', args: [buyer, other] })).toBe(
    3n * usdt,
  )

  await mined(client.writeContract({ ...spend, args: [operator, buyer, 0n] }))
  const spendTooMuch = client.simulateContract({
    ...token,
    account: other,
    functionName: 'transferFrom',
    args: [buyer, other, 4n * usdt],
  })
  await expect(spendTooMuch).rejects.toThrow(/exceeds allowance/)
  const payTooMuch = client.simulateContract({
    ...token,
    account: buyer,
    functionName: 'transfer',
    args: [operator, 10_000_000n * usdt],
  })
  await expect(payTooMuch).rejects.toThrow(/exceeds balance/)
  await mined(client.writeContract({ ...send, functionName: 'mint', args: [operator, 7n * usdt] }))
  expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [operator] })).toBe(
    106n * usdt,
  )
})

test('a block is final when two more have followed', async () => {
  const client = connect(chain)
  await client.mine({ blocks: 3 })
  const [latest, final] = await Promise.all([client.getBlock(), client.getBlock({ blockTag: 'finalized' })])
  expect(latest.number - final.number).toBe(2n)
})

test('blocks follow the clock before and after a stop, and the state is kept', async () => {
  const options = { stateFile: join(dir, 'state.json'), port: await freePort(), blockTime: 0.1 }
  const first = await startChain(options)
  const client = connect(first)
  const [, buyer] = (await client.getAddresses()) as [`0x${string}`, `0x${string}`]
  const hash = await client.writeContract({
    ...token,
    account: buyer,
    chain: null,
    functionName: 'transfer',
    args: [operatorAccount, usdt],
  })
  const { blockNumber, blockHash } = await client.waitForTransactionReceipt({ hash })
  await untilBlock(client, blockNumber + 12n)
  await until(async () => (await secondsBehind(client)) <= 1, 'A block of this second')
  await first.stop()

  const second = await startChain(options)
  const again = connect(second)
  expect((await again.getBlock({ blockNumber })).hash).toBe(blockHash)
  expect((await again.getTransactionReceipt({ hash })).status).toBe('success')
  expect(await again.readContract({ ...token, functionName: 'balanceOf', args: [operatorAccount] })).toBe(
    usdt,
  )
  const height = await again.getBlockNumber({ cacheTime: 0 })
  await untilBlock(again, height + 12n)
  await until(async () => (await secondsBehind(again)) <= 1, 'A block of this second')
  const blocks = await Promise.all(
    Array.from({ length: Number(height) + 12 }, (_, n) => again.getBlock({ blockNumber: BigInt(n) })),
  )
  const times = blocks.map((block) => block.timestamp)
  expect(times).toEqual(times.toSorted((a, b) => Number(a - b)))
  await second.stop()
})

test('a state file that was interrupted while being written is ignored for the one before it', async () => {
  const options = { stateFile: join(dir, 'cut', 'state.json'), blockTime: null }
  const blocks = [2, 3]
  for (const count of blocks) {
    const one = await startChain(options)
    await connect(one).mine({ blocks: count })
    await one.stop()
  }
  truncateSync(`${options.stateFile}.next`, 1_000)
  const last = await startChain(options)
  expect(await connect(last).getBlockNumber()).toBe(2n)
  await last.stop()
})

type Client = ReturnType<typeof connect>

const secondsBehind = async (client: Client): Promise<number> =>
  Math.abs(secondsFromNow(0) - Number((await client.getBlock()).timestamp))

async function untilBlock(client: Client, height: bigint): Promise<void> {
  await until(async () => (await client.getBlockNumber({ cacheTime: 0 })) >= height)
}
