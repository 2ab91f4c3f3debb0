import { describe, expect, test } from 'vitest'
import { codeOf, openFaultyChain, readAll } from '../../e2e/lab/faulty-chain.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { connectChain } from './index.ts'
import { connectRpc } from './transport.ts'

const world = await forFile(openFaultyChain())
const tcp = await forFile(startTcpProxy({ port: Number(new URL(world.chain.url).port) }))
const url = `ws://127.0.0.1:${tcp.port}`

const height = { method: 'eth_blockNumber', params: [] }

describe('an endpoint with a WebSocket', () => {
  test('serves payments, final blocks and receipts as one with requests does', async () => {
    const reader = connectChain([url, world.a.url], 56)
    const other = connectChain([world.a.url], 56)
    expect(await reader.finalized()).toEqual(await other.finalized())
    expect(await readAll(reader)).toEqual(world.payments)
    expect(await reader.lookUp([world.payments[0] as never], new Set())).toMatchObject([{ state: 'found' }])
  })

  test('answers many at once, each its own', async () => {
    const rpc = connectRpc(url)
    const numbers = Array.from({ length: 40 }, (_, n) => `0x${(n % 20).toString(16)}`)
    const call = (number: string) => ({ method: 'eth_getBlockByNumber', params: [number, false] })
    const single = numbers.map(async (number) => (await rpc.one(call(number))) as { number: string })
    const batches = [0, 10, 20, 30].map((at) => rpc.many(numbers.slice(at, at + 10).map(call)))
    expect((await Promise.all(single)).map(({ number }) => number)).toEqual(numbers)
    const flat = (await Promise.all(batches)).flat() as { number: string }[]
    expect(flat.map(({ number }) => number)).toEqual(numbers)
  })

  test('an error is that of its call', async () => {
    const rpc = connectRpc(url)
    await expect(rpc.one({ method: 'eth_none', params: [] })).rejects.toMatchObject({ kind: 'rpc' })
    expect(await rpc.many([{ method: 'eth_none', params: [] }, height])).toMatchObject([
      { kind: 'rpc' },
      expect.stringMatching(/^0x/),
    ])
    expect(await rpc.one(height)).toMatch(/^0x/)
  })

  test('whose connection is lost fails at once, and is opened anew', async () => {
    const rpc = connectRpc(url)
    await rpc.one(height)
    tcp.set('reset')
    tcp.cut()
    await expect(rpc.one(height)).rejects.toMatchObject({ kind: 'network' })
    tcp.set('none')
    expect(await rpc.one(height)).toMatch(/^0x/)
    const reader = connectChain([url], 56)
    tcp.set('reset')
    expect(await codeOf(reader.finalized())).toBe('RPC_UNAVAILABLE')
    tcp.set('none')
  })

  test('that falls silent times out, and is opened anew', async () => {
    const clock = handClock()
    const rpc = connectRpc(url, clock)
    await rpc.one(height)
    tcp.set('silent')
    clock.advance(1)
    const silent = rpc.one(height)
    clock.advance(5_000)
    await expect(silent).rejects.toMatchObject({ kind: 'timeout' })
    tcp.set('none')
    expect(await rpc.one(height)).toMatch(/^0x/)
  })
})
