import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestChain, operator, type TestChain, usdt } from '../e2e/actors/chain.ts'
import { type RpcFault, type RpcProxy, startRpcProxy } from '../e2e/faults/rpc-proxy.ts'
import { type Chain, connectChain } from './chain.ts'

const watch = { token: usdt, wallets: [operator] }

let chain: TestChain
let a: RpcProxy
let b: RpcProxy
let alice: Address
let payments: string[]

beforeAll(async () => {
  chain = await openTestChain()
  ;[a, b] = await Promise.all([startRpcProxy(chain.url), startRpcProxy(chain.url)])
  ;[alice] = chain.buyers
  payments = []
  for (const cents of [3_00, 6_00, 9_00]) {
    payments.push(await chain.payUsdt({ from: alice, cents }))
    await chain.mine(7)
  }
  await chain.finalize()
})
beforeEach(() => {
  a.set()
  b.set()
})
afterAll(async () => {
  await Promise.all([a.stop(), b.stop()])
  await chain.stop()
})

/** Hashes of the payments of the whole chain, by as many steps as it takes. */
async function readAll(reader: Chain): Promise<string[]> {
  const head = (await reader.finalized()).number
  const found: string[] = []
  for (let from = 0n; from <= head; ) {
    const { end, transfers } = await reader.transfers(watch, { from, to: head, head })
    found.push(...transfers.map((transfer) => transfer.transactionHash))
    from = end.number + 1n
  }
  return found
}

const one = () => connectChain([a.url], 56)
const two = () => connectChain([a.url, b.url], 56)
const codeOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error) => error.code,
  )

const broken: RpcFault[] = ['down', 'http-429', 'http-500', 'html', 'cut-json', 'huge', 'wrong-chain']

describe('P9: an endpoint in trouble', () => {
  test.each(broken)('%s: the only one says that the chain cannot be read', async (fault) => {
    a.set(fault)
    const reader = one()
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(await codeOf(readAll(reader))).toBe('RPC_UNAVAILABLE')
    expect(await codeOf(reader.lookUp([payments[0] as never], new Set()))).toBe('RPC_UNAVAILABLE')
  })

  test.each(broken)('%s: with one of two dead nothing is decided, but a receipt is shown', async (fault) => {
    b.set(fault)
    const reader = two()
    expect(await codeOf(readAll(reader))).toBe('RPC_UNAVAILABLE')
    expect(await reader.lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
    a.set(fault)
    b.set()
    expect(await two().lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
  })

  test.each(broken)('%s: with two of three alive the payments are found', async (fault) => {
    a.set(fault)
    expect(await readAll(connectChain([a.url, b.url, chain.url], 56))).toEqual(payments)
  })

  test('hang: an answer is awaited for 5 s, the rest of the work goes on', async () => {
    a.set('hang')
    const reader = two()
    const began = performance.now()
    expect(await reader.lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
    expect(performance.now() - began).toBeLessThan(6_500)
  })

  test('a chain id is looked at again after a failure', async () => {
    const reader = one()
    await reader.finalized()
    a.set('http-500')
    await codeOf(reader.finalized())
    a.set('wrong-chain')
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(reader.health().endpoints[0]?.lastFailure).toBe('wrong-chain')
  })

  test('after five failures in a row it is left alone for 2 s, then one question tries it', async () => {
    const reader = one()
    a.set('http-500')
    for (let n = 0; n < 5; n++) await codeOf(reader.finalized())
    expect(reader.health().endpoints[0]).toMatchObject({
      state: 'resting',
      failures: 5,
      lastFailure: 'http 500',
    })
    a.set()
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(a.asked('eth_chainId')).toBe(0)
    await Bun.sleep(2_050)
    await reader.finalized()
    expect(reader.health().endpoints[0]).toMatchObject({ state: 'ok', failures: 0 })
  })

  test('I24: neither errors nor health show more of an endpoint than its host', async () => {
    a.set('http-500')
    const reader = connectChain([`${a.url}/v2/secret-key?token=hidden`], 56)
    const error = await reader.finalized().catch((reason) => reason)
    const shown = Bun.inspect([error, error.data, error.cause, reader.health()])
    expect(shown).toContain('127.0.0.1')
    expect(shown).not.toMatch(/secret-key|hidden/)
  })
})

describe('P9: endpoints that tell different things', () => {
  test.each(['other-block-hash', 'other-logs'] as const)('%s: nothing is read', async (fault) => {
    b.set(fault)
    expect(await codeOf(readAll(two()))).toMatch(/^RPC_(DISAGREE|UNAVAILABLE)$/)
  })

  test('one that is behind holds everything up where it stands', async () => {
    b.set('stale-head')
    const { number } = await connectChain([b.url], 56).finalized()
    await chain.mine(5)
    expect((await one().finalized()).number).toBe(number + 5n)
    expect((await two().finalized()).number).toBe(number)
    expect(await readAll(two())).toEqual(payments)
  })

  test('a receipt that one tells otherwise is confirmed by nobody', async () => {
    const reader = two()
    const [lookup] = await reader.lookUp([payments[0] as never], new Set())
    if (lookup?.state !== 'found') throw new Error('not found')
    const told = new Map([[payments[0] as never, lookup.receipt]])
    expect([...(await reader.confirm(told))]).toEqual([payments[0]])
    for (const fault of ['reverted-receipts', 'other-logs', 'missing-log', 'other-block-hash'] as const) {
      b.set(fault)
      expect([...(await reader.confirm(told))]).toEqual([])
    }
    b.set('null-receipts')
    expect(await codeOf(reader.confirm(told))).toBe('RPC_UNAVAILABLE')
  })

  test('null from one endpoint means unknown: the other one is asked', async () => {
    a.set('null-receipts')
    expect(await two().lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
    expect(await one().lookUp([payments[0] as never], new Set())).toEqual([
      { state: 'unknown', everywhere: true },
    ])
    b.set('http-500')
    expect(await two().lookUp([payments[0] as never], new Set())).toEqual([
      { state: 'unknown', everywhere: false },
    ])
  })
})

describe('log queries', () => {
  test('ranges adapt to what the endpoint allows', async () => {
    a.set('logs-limited-to-5-blocks')
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'ranges' })
    const asked = a.asked('eth_getLogs')
    await readAll(reader)
    expect(a.asked('eth_getLogs') - asked).toBeLessThan(40)
  })

  test('where logs are off the receipts of blocks that may hold a payment are read, and only of those', async () => {
    a.set('logs-disabled')
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'receipts' })
    expect(a.asked('eth_getBlockReceipts')).toBe(3)
  })

  test('with neither logs nor block receipts it says so', async () => {
    a.set('logs-disabled', 'no-block-receipts')
    const reader = one()
    await expect(readAll(reader)).rejects.toThrow(/serves logs or block receipts/)
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'none' })
  })

  test('an empty answer is not believed where a bloom filter holds our topic', async () => {
    a.set('empty-logs')
    expect(await readAll(one())).toEqual(payments)
    a.set('empty-logs', 'no-block-receipts')
    expect(await readAll(one())).toEqual(payments)
  })

  test('a log too few in an answer is found by the filters', async () => {
    a.set('missing-log')
    expect((await readAll(one())).sort()).toEqual([...payments].sort())
  })

  test('an endpoint that takes no batches is asked one by one', async () => {
    a.set('no-batches')
    expect(await readAll(one())).toEqual(payments)
  })

  test('logs of another block than the chain has are refused', async () => {
    a.set('other-block-hash')
    expect(await codeOf(readAll(one()))).toBe('RPC_UNAVAILABLE')
  })
})

describe('a long catch-up', () => {
  beforeAll(() => chain.mine(3_200))

  test('two endpoints with the same logs are believed without a header of every block', async () => {
    const reader = two()
    const head = (await reader.finalized()).number
    await reader.transfers(watch, { from: 0n, to: 50n, head })
    expect(a.asked('eth_getBlockByNumber')).toBeLessThan(10)
    expect(await readAll(reader)).toEqual(payments)
  })

  test('one that leaves a log out is caught by the other', async () => {
    b.set('missing-log')
    expect(await codeOf(readAll(two()))).toBe('RPC_DISAGREE')
  })

  test('a single endpoint is checked block by block, without the receipts of whole blocks', async () => {
    a.set('empty-logs')
    const reader = one()
    const head = (await reader.finalized()).number
    const { transfers } = await reader.transfers(watch, { from: 0n, to: 50n, head })
    expect(transfers.map((transfer) => transfer.transactionHash)).toEqual(payments)
    expect(a.asked('eth_getBlockReceipts')).toBe(0)
  })

  test('a second endpoint without logs confirms what the first one found, by receipts', async () => {
    b.set('logs-disabled')
    const reader = two()
    const head = (await reader.finalized()).number
    const readOld = async () =>
      (await reader.transfers(watch, { from: 0n, to: 50n, head })).transfers.map((t) => t.transactionHash)
    expect(await readOld()).toEqual(payments) // learns that logs are off
    expect(b.asked('eth_getTransactionReceipt')).toBe(0)
    expect(await readOld()).toEqual(payments)
    expect(b.asked('eth_getTransactionReceipt')).toBe(3)
    b.set('logs-disabled', 'reverted-receipts')
    expect(await codeOf(readOld())).toBe('RPC_DISAGREE')
  })
})

describe('finality', () => {
  const minute = 61_000

  test('is what both endpoints call final', async () => {
    const { number } = await two().finalized()
    expect(number).toBe((await chain.height()) - 2n)
  })

  test('while the tag stands still for a minute, 240 confirmations on every endpoint count', async () => {
    let now = 0
    a.set('stalled-finality')
    b.set('stalled-finality')
    const reader = connectChain([a.url, b.url], 56, () => now)
    const { number } = await reader.finalized()
    await chain.mine(300)
    expect((await reader.finalized()).number).toBe(number)
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
    expect(reader.health().isStalled).toBe(true)
    // The tag moves again: it rules.
    a.set()
    b.set()
    expect((await reader.finalized()).number).toBe((await chain.height()) - 2n)
    expect(reader.health().isStalled).toBe(false)
  })

  test('by depth needs every endpoint', async () => {
    let now = 0
    a.set('stalled-finality')
    b.set('stalled-finality')
    const reader = connectChain([a.url, b.url], 56, () => now)
    await reader.finalized()
    await chain.mine(300)
    now += minute
    b.set('http-500')
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    b.set('stale-head')
    await connectChain([b.url], 56).finalized()
    const before = await chain.height()
    await chain.mine(300)
    expect((await reader.finalized()).number).toBeLessThanOrEqual(before - 2n)
  })

  test('a chain without the tag is final by depth, after a minute', async () => {
    let now = 0
    a.set('no-finalized-tag')
    const reader = connectChain([a.url], 56, () => now)
    expect(await codeOf(reader.finalized())).toBe('NOT_FINAL')
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
  })

  test('nobody is called unknown on a chain that does not move', async () => {
    let now = 0
    const reader = connectChain([a.url], 56, () => now)
    const hash = `0x${'12'.repeat(32)}` as const
    await reader.finalized()
    expect(await reader.lookUp([hash], new Set())).toEqual([{ state: 'unknown', everywhere: true }])
    now += minute
    expect(await reader.lookUp([hash], new Set())).toEqual([{ state: 'unknown', everywhere: false }])
  })
})

describe('P12: unknown hashes', () => {
  const invented = Array.from({ length: 300 }, (_, n) => `0x9${n.toString(16).padStart(63, '0')}` as const)

  test('use up 20 lookups a second, while known ones are not held up', async () => {
    let now = 0
    const reader = connectChain([a.url], 56, () => now)
    const states = async (hashes: readonly `0x${string}`[], known: readonly string[] = []) => {
      const lookups = await reader.lookUp(hashes, new Set(known as `0x${string}`[]))
      return Object.fromEntries(
        Object.entries(Object.groupBy(lookups, (l) => l.state)).map(([state, all]) => [state, all?.length]),
      )
    }
    expect(await states(invented)).toEqual({ unknown: 100, deferred: 200 })
    expect(await states(invented)).toEqual({ deferred: 300 })
    expect(await states([...invented, payments[0] as never], [payments[0] as string])).toEqual({
      deferred: 300,
      found: 1,
    })
    now += 5_000
    expect(await states(invented)).toEqual({ unknown: 100, deferred: 200 })
    expect(a.asked('eth_getTransactionReceipt')).toBe(201)
  })

  test('that are found cost nothing', async () => {
    const reader = connectChain([a.url], 56, () => 0)
    for (let n = 0; n < 10; n++)
      expect(await reader.lookUp(payments as never, new Set())).toMatchObject(
        payments.map(() => ({ state: 'found' })),
      )
  })
})
