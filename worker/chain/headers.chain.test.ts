import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isSealed } from '../../core/chain/seal.ts'
import { codeOf, faultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { book } from '../../e2e/lab/register.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { type Chain, connectChain } from './index.ts'
import recorded from './recorded/blocks.json'

const { chain, a, b, payments } = await faultyChain()
const c = await forFile(startRpcProxy(chain.url))
const text = (value: unknown): value is string => typeof value === 'string'

describe('the hash of a header', () => {
  test.each(recorded.blocks)(
    'of BNB Smart Chain is that of its fields, and of no others: $number',
    (block) => {
      expect(isSealed(block)).toBe(true)
      const outside = new Set(['hash', 'totalDifficulty', 'size', 'milliTimestamp'])
      const fields = Object.entries(block).filter(([name, value]) => text(value) && !outside.has(name))
      expect(fields).toHaveLength(21)
      for (const [name, value] of fields) {
        const last = `${value}`.slice(-1)
        const other = `${value}`.slice(0, -1) + (last === '1' ? '2' : '1')
        expect([name, isSealed({ ...block, [name]: other })]).toEqual([name, false])
        expect([name, isSealed({ ...block, [name]: undefined })]).toEqual([name, false])
        expect([name, isSealed({ ...block, [name]: 'no hex' })]).toEqual([name, false])
      }
      expect(isSealed({ ...block, hash: recorded.blocks[0]?.parentHash })).toBe(false)
    },
  )
})

describe('headers near the head', () => {
  let alarms: string[] = []
  beforeAll(() => chain.mine(30))
  beforeEach(() => {
    c.set()
    alarms = []
  })
  const open = (...proxies: RpcProxy[]): Chain =>
    connectChain(
      proxies.map(({ url }) => url),
      56,
      { onAlarm: (told) => alarms.push(told) },
    )

  const asked = () => a.asked('eth_getBlockByNumber') + b.asked('eth_getBlockByNumber')
  /** What nobody has ever sent: headers alone are asked for. */
  const nothing = { tokens: [chain.buyers[0]], wallets: [chain.buyers[0]] }

  test('come from one endpoint, and the last one from a second', async () => {
    const reader = open(a, b)
    const { number: head } = await reader.finalized()
    const before = asked()
    await readAll(reader)
    // All blocks once, and the final one of each endpoint for the tag.
    expect(asked() - before).toBeLessThanOrEqual(Number(head) + 1 + 2 + 2)
  })

  test('of a step that is the final block alone need no question of their own', async () => {
    const reader = open(a, b)
    const { number: head } = await reader.finalized()
    const before = asked()
    await reader.transfers(nothing, { from: head, to: head, head })
    expect(asked()).toBe(before)
    expect(alarms).toEqual([])
  })

  test('are not asked for again by whoever reads the same blocks later', async () => {
    const reader = open(a, b)
    const { number: head } = await reader.finalized()
    const range = { to: head, head }
    const before = asked()
    await reader.transfers(nothing, { ...range, from: head - 9n })
    expect(asked() - before).toBe(9)
    await reader.transfers({ ...nothing, outgoing: { book } }, { ...range, from: head - 9n })
    expect(asked() - before).toBe(9)
    await reader.transfers(nothing, { ...range, from: head - 14n })
    expect(asked() - before).toBe(14)

    // Later, with new blocks above: only those, and the final one of each endpoint for the tag.
    await chain.mine(5)
    const later = await reader.finalized()
    await reader.transfers(nothing, { from: head - 14n, to: later.number, head: later.number })
    expect(asked() - before).toBe(14 + 2 + 4)
    // To a block that is not the newest final one any more.
    await reader.transfers(nothing, { from: head - 14n, to: head + 2n, head: head + 2n })
    expect(asked() - before).toBe(14 + 2 + 4)
  })

  test('of another branch are asked for, whatever is remembered at their heights', async () => {
    const reader = open(a, b)
    const first = await reader.finalized()
    await reader.transfers(nothing, { from: first.number - 9n, to: first.number, head: first.number })
    await chain.reorg(6)
    await chain.mine(9)
    const { number: head } = await reader.finalized()
    const { end } = await reader.transfers(nothing, { from: head - 14n, to: head, head })
    expect(end).toEqual(await reader.header(head))
  })

  test.each(['empty-bloom', 'other-block-time', 'other-block-hash'] as const)(
    '%s: of three endpoints the one that tells it is not believed, whoever is asked first',
    async (lie) => {
      for (const liar of [a, b, c]) {
        for (const proxy of [a, b, c]) proxy.set()
        liar.set(lie, 'missing-log')
        const reader = open(a, b, c)
        for (let turn = 0; turn < 3; turn++)
          expect((await readAll(reader)).sort()).toEqual([...payments].sort())
      }
    },
  )

  test('an empty filter of one of two endpoints hides no payment, and is an alarm', async () => {
    for (const liar of [a, b]) {
      for (const proxy of [a, b]) proxy.set()
      liar.set('empty-bloom', 'empty-logs')
      for (const reader of [open(a, b), open(b, a)]) expect(await readAll(reader)).toEqual(payments)
    }
    expect(alarms).toEqual(['header does not match its hash', 'header does not match its hash'])
  })

  test('of a form that is not known are asked of two, with an alarm', async () => {
    for (const proxy of [a, b]) proxy.set('unknown-header-form')
    const reader = open(a, b)
    expect(await readAll(reader)).toEqual(payments)
    expect(alarms).toEqual(['header does not match its hash'])
    expect(reader.health().areHeadersKnown).toBe(false)
    b.set('unknown-header-form', 'empty-bloom')
    expect(await codeOf(readAll(reader))).toBe('RPC_DISAGREE')
  })

  test('from a single endpoint are taken as they are told, with the alarm', async () => {
    a.set('unknown-header-form')
    expect(await readAll(open(a))).toEqual(payments)
    expect(alarms).toEqual(['header does not match its hash'])
  })
})
