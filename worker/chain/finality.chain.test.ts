import { describe, expect, test } from 'vitest'
import { mine as mineApart } from '../../e2e/lab/chain-verbs.ts'
import { codeOf, faultyChain } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { connectChain } from './index.ts'

const { chain, a, b, payments, one, two } = await faultyChain()

describe('finality', () => {
  const minute = 61_000

  test('is the newest block that both endpoints call final', async () => {
    const { number } = await two().finalized()
    expect(number).toBe((await chain.height()) - 2n)
  })

  test('needs 240 confirmations on every endpoint once the tag has not moved for a minute', async () => {
    let now = 0
    a.set('stalled-finality')
    b.set('stalled-finality')
    const reader = two({ now: () => now })
    const { number } = await reader.finalized()
    await mineApart(chain.url, 300, 1)
    expect((await reader.finalized()).number).toBe(number)
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
    expect(reader.health().isStalled).toBe(true)
    // The tag has kept up with the time again, so it counts again.
    a.set()
    b.set()
    expect((await reader.finalized()).number).toBe((await chain.height()) - 2n)
    expect(reader.health().isStalled).toBe(false)
  })

  test('needs 240 confirmations too where the tag of one node creeps far behind the chain', async () => {
    let now = 0
    const slow = hookRpc(chain.url)
    const from = Number((await two().finalized()).number)
    let told = from
    slow.hook = async (call, result) => {
      if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'finalized') return result
      return chain.rpc('eth_getBlockByNumber', [`0x${(told++).toString(16)}`, false])
    }
    const reader = connectChain([a.url, slow.url], 56, { now: () => now })
    // Two minutes, in which the chain makes 150 blocks a minute and the slow node calls one in 20 s final.
    for (let steps = 0; steps < 6; steps++) {
      await reader.finalized()
      await mineApart(chain.url, 50, 1)
      now += 20_000
    }
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
    expect(reader.health().isStalled).toBe(true)
    await slow.stop()
  })

  test('so it is where the tag goes nearly as fast as the clock, and falls behind without end', async () => {
    let now = 0
    const slow = hookRpc(chain.url)
    let told = Number((await two().finalized()).number)
    slow.hook = async (call, result) => {
      if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'finalized') return result
      return chain.rpc('eth_getBlockByNumber', [`0x${told.toString(16)}`, false])
    }
    const reader = connectChain([a.url, slow.url], 56, { now: () => now })
    // Ten blocks a minute, of which the slow node calls nine final.
    for (let minutes = 0; minutes < 12; minutes++) {
      await reader.finalized()
      await mineApart(chain.url, 10, 6)
      now += 60_000
      told += 9
    }
    await reader.finalized()
    expect(reader.health().isStalled).toBe(true)
    await slow.stop()
  })

  test('by depth needs every endpoint', async () => {
    let now = 0
    a.set('stalled-finality')
    b.set('stalled-finality')
    const reader = two({ now: () => now })
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
    const reader = one({ now: () => now })
    expect(await codeOf(reader.finalized())).toBe('NOT_FINAL')
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
  })

  test('no hash is called unknown while the chain does not advance', async () => {
    let now = 0
    const reader = one({ now: () => now })
    const hash = `0x${'12'.repeat(32)}` as const
    await reader.finalized()
    expect(await reader.lookUp([hash], new Set())).toEqual([{ state: 'unknown', everywhere: true }])
    now += minute
    expect(await reader.lookUp([hash], new Set())).toEqual([{ state: 'unknown', everywhere: false }])
  })
})

describe('P12: unknown hashes', () => {
  const invented = Array.from({ length: 300 }, (_, n) => `0x9${n.toString(16).padStart(63, '0')}` as const)

  test('use at most 20 lookups a second and do not delay known ones', async () => {
    let now = 0
    const reader = one({ now: () => now })
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

  test('that are found use no lookups', async () => {
    const reader = one({ now: () => 0 })
    for (let n = 0; n < 10; n++)
      expect(await reader.lookUp(payments as never, new Set())).toMatchObject(
        payments.map(() => ({ state: 'found' })),
      )
  })
})
