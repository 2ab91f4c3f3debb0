import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, faultyChain, readAll, watch } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { connectChain } from './index.ts'

const { chain, a, b, payments, one, two } = await faultyChain()

describe('log queries', () => {
  test("ranges adapt to the endpoint's limits", async () => {
    a.set('logs-limited-to-5-blocks')
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'ranges' })
    const asked = a.asked('eth_getLogs')
    await readAll(reader)
    expect(a.asked('eth_getLogs') - asked).toBeLessThan(40)
  })

  test('without log queries it reads receipts only of blocks that may hold a payment', async () => {
    a.set('logs-disabled')
    const reader = one()
    expect(await readAll(reader)).toEqual(payments)
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'receipts' })
    expect(a.asked('eth_getBlockReceipts')).toBe(3)
  })

  test('without logs and block receipts it reports the failure', async () => {
    a.set('logs-disabled', 'no-block-receipts')
    const reader = one()
    await expect(readAll(reader)).rejects.toMatchObject({ values: { reason: 'logs' } })
    expect(reader.health().endpoints[0]).toMatchObject({ logs: 'none' })
  })

  test('an empty answer is not trusted if a bloom filter holds our topic', async () => {
    a.set('empty-logs')
    expect(await readAll(one())).toEqual(payments)
    a.set('empty-logs', 'no-block-receipts')
    expect(await readAll(one())).toEqual(payments)
  })

  test('the filters reveal a log missing from an answer', async () => {
    a.set('missing-log')
    expect((await readAll(one())).sort()).toEqual([...payments].sort())
  })

  test('an endpoint that accepts no batches gets single calls', async () => {
    a.set('no-batches')
    expect(await readAll(one())).toEqual(payments)
  })

  test('logs of a block that is not on the chain are refused', async () => {
    a.set('other-block-hash')
    expect(await codeOf(readAll(one()))).toBe('RPC_UNAVAILABLE')
  })
})

describe('a long catch-up', () => {
  beforeAll(() => chain.mine(3_200))

  test('two endpoints with the same logs are trusted without a header of every block', async () => {
    const reader = two()
    const head = (await reader.finalized()).number
    await reader.transfers(watch, { from: 0n, to: 50n, head })
    expect(a.asked('eth_getBlockByNumber')).toBeLessThan(10)
    expect(await readAll(reader)).toEqual(payments)
  })

  test.each(['missing-log', 'empty-logs', 'other-value'] as const)(
    'one that lies about logs (%s) is shown by the receipts of the header, named, and what is proven counts',
    async (lie) => {
      b.set(lie)
      const alarms: unknown[] = []
      const reader = connectChain([a.url, b.url], 56, {
        onAlarm: (text, facts) => alarms.push([text, facts.host]),
      })
      expect(await readAll(reader)).toEqual(payments)
      expect(alarms).toEqual([['an endpoint tells what is not so', new URL(b.url).host]])
    },
  )

  test.each(['receipts', 'the root'])('two that differ and of whom one forges %s', async (what) => {
    const liar = await forTest(hookRpc(chain.url))
    liar.hook = ({ method }, result) => {
      if (method === 'eth_getLogs') return (result as object[]).slice(1)
      if (method === 'eth_getBlockReceipts' && what === 'receipts')
        return (result as object[]).map((receipt) => ({ ...receipt, logs: [] }))
      if (method === 'eth_getBlockByNumber' && what === 'the root')
        return { ...(result as object), receiptsRoot: `0x${'ab'.repeat(32)}` }
      return result
    }
    const reader = connectChain([liar.url, a.url], 56)
    if (what === 'receipts') expect(await readAll(reader)).toEqual(payments)
    else expect(await codeOf(readAll(reader))).toBe('RPC_DISAGREE')
  })

  test('an endpoint that tells a log beyond the range is passed over when the blocks are read again', async () => {
    const liar = await forTest(hookRpc(chain.url))
    const blockHash = `0x${'ab'.repeat(32)}`
    liar.hook = ({ method }, result) =>
      method === 'eth_getLogs'
        ? (result as object[]).slice(-1).map((log) => ({ ...log, blockNumber: '0xffffffff', blockHash }))
        : result
    const again = await connectChain([a.url, liar.url], 56).readAgain(watch, { from: 0n, to: 50n }).next()
    expect(again.value?.host).toBe(new URL(a.url).host)
  })

  test('logs beyond the range are no answer, though two tell them: a step ends where it was to end', async () => {
    const liars = await Promise.all([1, 2].map(() => forTest(hookRpc(chain.url))))
    const place = await chain.rpc<object[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])
    for (const liar of liars)
      liar.hook = ({ method }, result) =>
        method === 'eth_getLogs' ? [...(result as object[]), place.at(-1)] : result
    const reader = connectChain(
      liars.map(({ url }) => url),
      56,
    )
    const head = (await reader.finalized()).number
    expect(await codeOf(reader.transfers(watch, { from: 0n, to: 3n, head }))).toBe('RPC_UNAVAILABLE')
  })

  test('of two steps that are read at once one fails: those behind are narrower, though the other was answered', async () => {
    const node = await forTest(hookRpc(chain.url))
    const reader = connectChain([node.url], 56)
    const head = (await reader.finalized()).number
    const ends: bigint[] = []
    const read = (from: bigint, to = head) =>
      reader.transfers(watch, { from, to, head, onBegin: (end) => ends.push(end) })
    await read(0n, 0n)
    const failed = Promise.withResolvers<void>()
    node.hook = async ({ method, params }, result) => {
      if (method !== 'eth_getBlockByNumber') return result
      if (Number(params[0]) < 500) throw { code: -32_000, message: 'out of order' }
      await failed.promise
      return result
    }
    const answered = read(500n, 600n)
    await expect(read(1n, 100n)).rejects.toThrow()
    failed.resolve()
    await answered
    await read(500n)
    expect(ends.at(-1)).toBe(500n + 50n - 1n)
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
    const asked = b.asked('eth_getBlockReceipts')
    expect(await readOld()).toEqual(payments)
    expect(b.asked('eth_getBlockReceipts') - asked).toBe(3)
    b.set('logs-disabled', 'half-of-the-block', 'other-block-hash')
    expect(await codeOf(readOld())).toBe('RPC_DISAGREE')
  })

  test('what the only endpoint with logs hides, in the header too, is found by the one without', async () => {
    const liar = await forTest(hookRpc(chain.url))
    const hidden = await chain.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [payments[1]])
    liar.hook = ({ method, params }, result) => {
      if (method === 'eth_getLogs')
        return (result as Record<string, string>[]).filter((log) => log.transactionHash !== payments[1])
      const isHidden = method === 'eth_getBlockByNumber' && params[0] === hidden.blockNumber
      return isHidden ? { ...(result as object), logsBloom: `0x${'0'.repeat(512)}` } : result
    }
    b.set('no-logs-method')
    const reader = connectChain([liar.url, b.url], 56)
    const at = BigInt(hidden.blockNumber)
    const range = { from: at, to: at, head: at + 3_000n }
    const told = await reader.transfers(watch, range)
    expect(told.transfers).toMatchObject([{ transactionHash: payments[1] }])
    const again = await reader.readAgain(watch, range).next()
    expect(again.value).toMatchObject({
      host: new URL(b.url).host,
      transfers: [{ transactionHash: payments[1] }],
    })
  })
})
