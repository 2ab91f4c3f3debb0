import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, type FaultyChain, openFaultyChain } from '../../e2e/lab/faulty-chain.ts'
import { connectChain } from './index.ts'

let world: FaultyChain
let { chain, a, b, payments, one, two } = {} as FaultyChain

beforeAll(async () => {
  world = await openFaultyChain()
  ;({ chain, a, b, payments, one, two } = world)
})
beforeEach(() => {
  a.set()
  b.set()
})
afterAll(() => world.stop())

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
    const reader = two(() => now)
    const { number } = await reader.finalized()
    await chain.mine(300)
    expect((await reader.finalized()).number).toBe(number)
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
    expect(reader.health().isStalled).toBe(true)
    // The tag moves again, so it counts again.
    a.set()
    b.set()
    expect((await reader.finalized()).number).toBe((await chain.height()) - 2n)
    expect(reader.health().isStalled).toBe(false)
  })

  test('by depth needs every endpoint', async () => {
    let now = 0
    a.set('stalled-finality')
    b.set('stalled-finality')
    const reader = two(() => now)
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
    const reader = one(() => now)
    expect(await codeOf(reader.finalized())).toBe('NOT_FINAL')
    now += minute
    expect((await reader.finalized()).number).toBe((await chain.height()) - 240n)
  })

  test('no hash is called unknown while the chain does not advance', async () => {
    let now = 0
    const reader = one(() => now)
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
    const reader = one(() => now)
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
    const reader = one(() => 0)
    for (let n = 0; n < 10; n++)
      expect(await reader.lookUp(payments as never, new Set())).toMatchObject(
        payments.map(() => ({ state: 'found' })),
      )
  })
})
