import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSeats } from './agree.ts'
import { type Chain, connectChain } from './index.ts'

const tenMinutes = 600_001
const lies: RpcFault[] = ['other-block-hash', 'other-block-time']

const { chain, a, b, payments, two } = await faultyChain()
const c = await forFile(startRpcProxy(chain.url))
let alarms: [string, Record<string, unknown>][] = []

beforeEach(() => {
  c.set()
  alarms = []
})

const three = (clock: { now?: () => number } = {}): Chain =>
  connectChain([a.url, b.url, c.url], 56, { ...clock, onAlarm: (text, facts) => alarms.push([text, facts]) })
const hostOf = (proxy: RpcProxy): string => new URL(proxy.url).host
const statesOf = (reader: Chain): string[] => reader.health().endpoints.map(({ state }) => state)
const hashesOf = async (reader: Chain): Promise<string[]> =>
  (await reader.agreedHeaders([1n, 2n, 3n])).map(({ hash }) => hash)

describe('of three endpoints two alike decide', () => {
  describe.each([0, 1, 2])('endpoint %i tells something else', (at) => {
    const liar = () => [a, b, c][at] as RpcProxy

    test.each([...lies, 'other-logs', 'other-value', 'shifted-transaction-index'] as RpcFault[])(
      '%s: the payments are read as the others have them',
      async (lie) => {
        const expected = await two().header(1n)
        liar().set(lie)
        const reader = three()
        expect(await readAll(reader)).toEqual(payments)
        expect(await reader.header(1n)).toEqual(expected)
      },
    )

    test('the blocks of a draw are those of the two others', async () => {
      const expected = await hashesOf(two())
      liar().set('other-block-hash')
      expect(await hashesOf(three())).toEqual(expected)
    })

    test('the final block is that of the two others, by tag and by depth', async () => {
      let now = 0
      liar().set('other-block-time')
      const reader = three({ now: () => now })
      await chain.mine(300)
      const honest = connectChain([chain.url], 56)
      expect(await reader.finalized()).toEqual(await honest.finalized())
      for (const proxy of [a, b, c]) proxy.set('no-finalized-tag')
      liar().set('no-finalized-tag', 'other-block-hash')
      const second = three({ now: () => now })
      expect(await codeOf(second.finalized())).toBe('NOT_FINAL')
      now += 61_000
      expect(await second.finalized()).toEqual(await honest.header((await chain.height()) - 240n))
    })
  })

  test('the odd one is set aside for ten minutes, named in an alarm, and not asked', async () => {
    let now = 0
    b.set('other-block-hash')
    const reader = three({ now: () => now })
    await reader.header(1n)
    expect(alarms).toEqual([['endpoint set aside', { host: hostOf(b), minutes: 10, staying: 2 }]])
    expect(statesOf(reader)).toEqual(['ok', 'aside', 'ok'])
    b.set('other-block-hash')
    await readAll(reader)
    await hashesOf(reader)
    expect(b.requests()).toBe(0)
    now += tenMinutes
    expect(statesOf(reader)).toEqual(['ok', 'ok', 'ok'])
    await reader.header(1n)
    expect(alarms).toHaveLength(2)
  })

  test('while one is set aside two that differ are not believed, and both stay', async () => {
    b.set('other-block-hash')
    const reader = three()
    await reader.header(1n)
    c.set('other-block-time')
    expect(await codeOf(reader.header(1n))).toBe('RPC_DISAGREE')
    expect(await codeOf(hashesOf(reader))).toBe('RPC_DISAGREE')
    expect(statesOf(reader)).toEqual(['ok', 'aside', 'ok'])
  })

  test('silence and lag are no other answer', async () => {
    const reader = three()
    const head = await reader.finalized()
    b.set('stale-head')
    await connectChain([b.url], 56).finalized()
    await chain.mine(5)
    expect((await reader.finalized()).number).toBe(head.number + 5n)
    expect(await reader.header(head.number + 5n)).toBeDefined()
    b.set('http-500')
    await readAll(reader)
    expect(alarms).toEqual([])
  })

  test('the blocks of a draw are told by two where the third is silent, and one of two is not enough', async () => {
    b.set('http-500')
    expect(await hashesOf(three())).toHaveLength(3)
    expect(await codeOf(hashesOf(two()))).toBe('RPC_UNAVAILABLE')
    c.set('other-block-hash')
    expect(await codeOf(hashesOf(three()))).toBe('RPC_DISAGREE')
  })

  test('a receipt that one invents is not believed, and one that two have is', async () => {
    const hash = payments[0] as never
    const liar = hookRpc(chain.url)
    liar.hook = ({ method }, result) => (method === 'eth_getTransactionReceipt' ? null : result)
    const silent = hookRpc(chain.url)
    silent.hook = liar.hook
    const of = (...urls: string[]) => connectChain(urls, 56).agreedReceipt(hash)
    expect(await of(a.url, liar.url, silent.url)).toBeUndefined()
    expect(await of(a.url, liar.url)).toBeUndefined()
    expect(await of(liar.url, a.url, b.url)).toMatchObject({ status: 'success' })
    await Promise.all([liar.stop(), silent.stop()])
  })

  test.each([0, 1, 2])('endpoint %i stands still: the newest block is that of the others', async (at) => {
    const still = [a, b, c][at] as RpcProxy
    still.set('stale-head')
    await connectChain([still.url], 56).finalized()
    await chain.mine(5)
    expect((await three().latest()).number).toBe(await chain.height())
  })

  test('240 confirmations are counted on those that answer, two at least', async () => {
    let now = 0
    for (const proxy of [a, b, c]) proxy.set('no-finalized-tag')
    await chain.mine(300)
    const reader = three({ now: () => now })
    now += 61_000
    c.set('http-500')
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
    b.set('http-500')
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
  })

  test('a receipt that two have is confirmed, and the endpoint with another one is set aside', async () => {
    const reader = three()
    await reader.finalized()
    b.set('reverted-receipts')
    expect(await reader.confirm([payments[0] as never])).toMatchObject([{ status: 'success' }])
    expect(statesOf(reader)).toEqual(['ok', 'aside', 'ok'])
  })
})

test('a block that one of two does not have is not missing', async () => {
  const height = (await two().finalized()).number
  b.set('stale-head')
  await connectChain([b.url], 56).finalized()
  await chain.mine(5)
  expect(await codeOf(two().header(height + 5n))).toBe('RPC_UNAVAILABLE')
  expect(await two().header(height + 500n)).toBeUndefined()
})

test('whatever is set aside, and whenever, two of those configured stay', () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.nat(400_000)), { maxLength: 40 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (count, list) => {
      let now = 0
      const hosts = Array.from({ length: count }, (_, index) => `node-${index}`)
      const named: unknown[] = []
      const seats = openSeats(
        hosts,
        () => now,
        (_, { host }) => named.push(host),
      )
      for (const [index, waitMs] of list) {
        now += waitMs
        const was = seats[index]?.isAside()
        const before = named.length
        seats[index]?.setAside()
        const staying = seats.filter((seat) => !seat.isAside()).length
        expect(staying).toBeGreaterThanOrEqual(Math.min(2, count))
        expect(named.length - before).toBe(was === false && seats[index]?.isAside() ? 1 : 0)
      }
    }),
  )
})
