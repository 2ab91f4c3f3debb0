import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { decodeTransfer } from '../../core/payment/payment.ts'
import { usdt } from '../../e2e/lab/usdt.ts'
import { connectEndpoint } from './endpoint.ts'
import { readBlocks } from './headers.ts'
import { connectChain } from './index.ts'
import { readLogRange } from './logs.ts'
import answers from './recorded/answers.json'
import blocks from './recorded/blocks.json'
import logs from './recorded/logs.json'
import { RpcFailure } from './transport.ts'

type Call = { id: number; method: string; params: unknown[] }
type Told = { status: number; body: unknown } | undefined

/** What a provider has answered, for every question but the one for the chain's id. */
let tell: (call: Call) => Told
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const asked = (await request.json()) as Call | Call[]
    const one = (call: Call) => {
      const told = call.method === 'eth_chainId' ? good('0x38') : tell(call)
      return {
        status: told?.status ?? 200,
        body: told?.body === '' ? '' : { ...(told?.body as object), id: call.id },
      }
    }
    if (Array.isArray(asked)) return Response.json(asked.map((call) => one(call).body))
    const { status, body } = one(asked)
    return body === '' ? new Response('', { status }) : Response.json(body, { status })
  },
})
afterAll(() => server.stop(true))

const url = `http://127.0.0.1:${server.port}`
const seat = { isAside: () => false, setAside: () => undefined, alarm: () => undefined }
const open = (at = url) => connectEndpoint(at, 56, seat)
const good = (result: unknown) => ({ status: 200, body: { jsonrpc: '2.0', id: 1, result } })
const spanOf = ({ params }: Call): number => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
  return Number(toBlock) - Number(fromBlock) + 1
}
const watch = { tokens: [usdt], wallets: [usdt] }

beforeEach(() => {
  tell = () => undefined
})

describe.each(answers)('$name ($source)', ({ status, body, failure, outage }) => {
  test('is classified, and counts as an outage only where the endpoint itself is in trouble', async () => {
    tell = () => ({ status, body })
    const endpoint = open()
    const asked = endpoint.ask('eth_getBlockByNumber', ['0x1', false])
    const error = (await asked.catch((reason) => reason)) as RpcFailure
    expect([error instanceof RpcFailure, error.message]).toEqual([true, failure])
    expect(endpoint.health().state).toBe(outage ? 'failing' : 'ok')
    expect(Bun.inspect(error)).not.toMatch(/billing|throughput|upgrade/)
  })
})

const withLogs = (what: string) => answers.filter((answer) => answer.logs === what)

test.each(withLogs('narrow'))('$name: log queries get smaller until they pass', async ({ status, body }) => {
  tell = (call) => (spanOf(call) > 5 ? { status, body } : good([]))
  const endpoint = open()
  expect(await readLogRange(endpoint, watch, { from: 1n, to: 40n })).toEqual([])
  expect(endpoint.health().logs).toBe('ranges')
})

test.each(withLogs('off'))('$name: receipts are read instead', async ({ status, body }) => {
  tell = () => ({ status, body })
  const endpoint = open()
  for (let n = 0; n < 3; n++)
    expect(await readLogRange(endpoint, watch, { from: 1n, to: 40n })).toBeUndefined()
  expect(endpoint.health().logs).toBe('receipts')
})

test.each(answers.filter(({ untagged }) => untagged))(
  '$name: that is no outage',
  async ({ status, body }) => {
    tell = () => ({ status, body })
    await expect(connectChain([url], 56).finalized()).rejects.toMatchObject({ code: 'NOT_FINAL' })
  },
)

test('dRPC refuses each call of a batch by itself: the batches get smaller', async () => {
  // https://github.com/blockscout/blockscout/pull/14211
  const message =
    'Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account'
  const refusing = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const asked = (await request.json()) as Call | Call[]
      const answer = ({ id, method, params }: Call) => ({
        id,
        result: method === 'eth_chainId' ? '0x38' : { ...blocks.blocks[0], number: params[0] },
      })
      if (!Array.isArray(asked)) return Response.json(answer(asked))
      return Response.json(
        asked.length > 3 ? asked.map(({ id }) => ({ id, error: { code: 31, message } })) : asked.map(answer),
      )
    },
  })
  const endpoint = open(`http://127.0.0.1:${refusing.port}`)
  const numbers = Array.from({ length: 40 }, (_, n) => BigInt(n + 1))
  expect((await readBlocks(endpoint, numbers)).map(({ number }) => number)).toEqual(numbers)
  expect(endpoint.health()).toMatchObject({ state: 'ok', failures: 0 })
  await refusing.stop(true)
})

test('blocks as geth of BNB Smart Chain tells them are read, and so are those with fields of a later fork', async () => {
  for (const more of [{}, { blockAccessListHash: blocks.blocks[0]?.hash, slotNumber: '0x1' }]) {
    tell = ({ params }) => good({ ...blocks.blocks.find(({ number }) => number === params[0]), ...more })
    expect(await readBlocks(open(), [55_475_597n, 55_475_598n])).toMatchObject([
      { hash: blocks.blocks[1]?.parentHash, timestamp: 1_750_435_917, transactions: 4 },
      { parent: blocks.blocks[0]?.hash, timestamp: 1_750_435_917, transactions: 4 },
    ])
  }
})

test('logs with the time of their block are read, and an approval of USDT is no transfer', async () => {
  tell = () => good(logs.logs)
  const range = { from: 79_592_285n, to: 79_592_285n }
  const [log] = (await readLogRange(open(), watch, range)) ?? []
  expect(log).toEqual(logs.logs[0])
  expect(log && decodeTransfer(log, usdt)).toBeUndefined()
})
