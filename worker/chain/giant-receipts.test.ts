import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { forFile } from '../../e2e/lab/opened.ts'
import { connectChain } from './index.ts'

const blockHash = `0x${'ab'.repeat(32)}`
const block = {
  ...{ number: '0x10', hash: blockHash, parentHash: blockHash, timestamp: '0x1' },
  ...{ logsBloom: `0x${'00'.repeat(256)}`, transactions: [] },
}
/** More than a mebibyte, as a stranger's transaction makes them for some cents. */
const logs = 5_000

function receiptOf(transactionHash: string) {
  const place = { blockHash, blockNumber: '0x10', transactionHash, transactionIndex: '0x0' }
  const log = { address: `0x${'11'.repeat(20)}`, topics: [], data: '0x', ...place }
  const told = Array.from({ length: logs }, (_, index) => ({ ...log, logIndex: `0x${index.toString(16)}` }))
  return { ...place, status: '0x1', logs: told }
}

/**
 * A node on which every transaction has such a receipt. `mostAtOnce`: questions again for one that it had told, which it
 * answers once it has told as many as are `expected`.
 */
function openNode() {
  let answering = 0
  let all = Promise.withResolvers<void>()
  const told = new Set<string>()
  const note = (hash: string) => {
    told.add(hash)
    if (told.size >= node.expected) all.resolve()
  }
  const node = {
    ...{ url: '', mostAtOnce: 0, expected: 0 },
    expect: (count: number) => {
      told.clear()
      all = Promise.withResolvers()
      Object.assign(node, { mostAtOnce: 0, expected: count })
    },
    close: () => server.stop(true),
  }
  type Call = { id: number; method: string; params: [string] }
  const answer = ({ id, method, params: [first] }: Call) => {
    const results: Record<string, () => unknown> = {
      eth_chainId: () => '0x38',
      eth_getBlockByNumber: () => block,
      eth_getTransactionReceipt: () => receiptOf(first),
    }
    return { jsonrpc: '2.0', id, result: results[method]?.() ?? null }
  }
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const body = (await request.json()) as Call | Call[]
      if (Array.isArray(body)) return Response.json(body.map(answer))
      if (told.has(body.params[0])) {
        node.mostAtOnce = Math.max(node.mostAtOnce, ++answering)
        await all.promise
        answering--
      }
      if (body.method === 'eth_getTransactionReceipt') note(body.params[0])
      return Response.json(answer(body))
    },
  })
  node.url = `http://127.0.0.1:${server.port}`
  return node
}

const [a, b] = [await forFile(openNode()), await forFile(openNode())]
const hashesFrom = (first: number) =>
  Array.from({ length: 12 }, (_, index): Hash => `0x${`${first + index}`.padStart(64, '0')}`)
const pick = () => []

test('of receipts that strangers made large nothing is kept that is not asked for', async () => {
  const hashes = hashesFrom(0)
  const found = await connectChain([a.url, b.url], 56).confirm(hashes, pick)
  expect(found.map((one) => one?.logs)).toEqual(hashes.map(() => []))
})

test('however many jobs ask for large receipts, an endpoint is asked for one at a time', async () => {
  const hashes = hashesFrom(100)
  const chain = connectChain([a.url, b.url], 56)
  for (const node of [a, b]) node.expect(hashes.length)
  const firm = await Promise.all(hashes.map((hash) => chain.confirm([hash], pick)))
  expect([a, b].map(({ mostAtOnce }) => mostAtOnce)).toEqual([1, 1])
  expect(firm.flat().map((one) => one?.status)).toEqual(hashes.map(() => 'success'))
})
