import { describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { connectChain } from './index.ts'

const { chain, a, b, payments, one, two } = await faultyChain()

const broken: RpcFault[] = ['down', 'http-429', 'http-500', 'html', 'cut-json', 'huge', 'wrong-chain']

describe('P9: an endpoint in trouble', () => {
  test.each(broken)('%s: a single endpoint reports that the chain cannot be read', async (fault) => {
    a.set(fault)
    const reader = one()
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(await codeOf(readAll(reader))).toBe('RPC_UNAVAILABLE')
    expect(await codeOf(reader.lookUp([payments[0] as never], new Set()))).toBe('RPC_UNAVAILABLE')
  })

  test.each(broken)('%s: with one of two down nothing is decided, but a receipt is shown', async (fault) => {
    b.set(fault)
    const reader = two()
    expect(await codeOf(readAll(reader))).toBe('RPC_UNAVAILABLE')
    expect(await reader.lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
    a.set(fault)
    b.set()
    expect(await two().lookUp([payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
  })

  test.each(broken)('%s: with two of three up the payments are found', async (fault) => {
    a.set(fault)
    expect(await readAll(connectChain([a.url, b.url, chain.url], 56))).toEqual(payments)
  })

  test('hang: a request times out after 5 s, other work continues', async () => {
    a.set('hang')
    const clock = handClock()
    const reader = two(clock)
    const found = reader.lookUp([payments[0] as never], new Set())
    await a.hangs(1)
    clock.advance(4_999)
    expect(reader.health().endpoints[0]).toMatchObject({ failures: 0 })
    clock.advance(1)
    expect(await found).toMatchObject([{ state: 'found' }])
    expect(reader.health().endpoints[0]).toMatchObject({ failures: 1, lastFailure: 'timeout' })
  })

  test('the chain id is checked again after a failure', async () => {
    const reader = one()
    await reader.finalized()
    a.set('http-500')
    await codeOf(reader.finalized())
    a.set('wrong-chain')
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(reader.health().endpoints[0]?.lastFailure).toBe('wrong-chain')
  })

  test('after five failures in a row it rests for 2 s, then one request probes it', async () => {
    const clock = handClock()
    const reader = one(clock)
    a.set('http-500')
    for (let n = 0; n < 5; n++) await codeOf(reader.finalized())
    expect(reader.health().endpoints[0]).toMatchObject({
      state: 'resting',
      failures: 5,
      lastFailure: 'http 500',
    })
    a.set()
    clock.advance(1_999)
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    expect(a.requests()).toBe(0)
    clock.advance(1)
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

describe('P9: endpoints that disagree', () => {
  test.each(['other-block-hash', 'other-logs'] as const)('%s: nothing is read', async (fault) => {
    b.set(fault)
    expect(await codeOf(readAll(two()))).toMatch(/^RPC_(DISAGREE|UNAVAILABLE)$/)
  })

  test('one that is behind limits reading to its height', async () => {
    b.set('stale-head')
    const { number } = await connectChain([b.url], 56).finalized()
    await chain.mine(5)
    expect((await one().finalized()).number).toBe(number + 5n)
    expect((await two().finalized()).number).toBe(number)
    expect(await readAll(two())).toEqual(payments)
  })

  test('a receipt on which two endpoints differ is not confirmed', async () => {
    const reader = two()
    const confirm = () => reader.confirm([payments[0] as never])
    expect(await confirm()).toMatchObject([{ status: 'success' }])
    for (const fault of ['reverted-receipts', 'other-logs', 'missing-log', 'other-block-hash'] as const) {
      b.set(fault)
      expect(await confirm()).toEqual([undefined])
    }
    b.set('null-receipts')
    expect(await codeOf(confirm())).toBe('RPC_UNAVAILABLE')
  })

  test('null from one endpoint means unknown: the other one gets the request', async () => {
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
