import { json, type RpcCall } from './hook-rpc.ts'

type Call = Pick<RpcCall, 'method' | 'params'>
type Body = RpcCall | RpcCall[]
type Json = Record<string, unknown>
/** The newest blocks when the fault began. */
export type Head = { latest: string; finalized: string }

/** What is wrong with an endpoint, at one of the places at which an answer can go wrong. */
export type Fault = {
  /** The whole request, the so manieth, is answered so. */
  request?: (body: Body, index: number) => Response | undefined
  /** Such a request is taken and never answered. */
  hangs?: (body: Body) => boolean
  /** Answers in the node's place, or throws its error. */
  answer?: (call: Call, head: Head) => { result: unknown } | undefined
  /** What the node is asked in place of these parameters. */
  ask?: (call: Call, head: Head) => unknown[]
  /** What becomes of an answer with something in it. */
  // biome-ignore lint/suspicious/noExplicitAny: a block, a receipt, or a list of receipts or logs
  twist?: (result: any, call: Call, head: Head) => unknown
}
export type RpcFault = keyof typeof table

/** A JSON-RPC error, to a batch as a whole too, under any HTTP status. */
const failing =
  (status: number, code: number, message: string) =>
  (body: Body): Response => {
    const id = Array.isArray(body) ? null : body.id
    return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })
  }
const limited = failing(429, -32005, 'limit exceeded')
const slowDown = (seconds: number) => () =>
  new Response('slow down', { status: 429, headers: { 'retry-after': `${seconds}` } })
const [getLogs, getReceipts] = ['eth_getLogs', 'eth_getBlockReceipts']
const isBlockReceipts = (body: Body) => !Array.isArray(body) && body.method === getReceipts
/** Requests of which `when` is true are answered so. */
const where = (when: (body: Body) => boolean, answer: (body: Body) => Response): Fault => ({
  request: (body) => (when(body) ? answer(body) : undefined),
})

/** A call of this method is refused, if `when` says so. */
const refusing = (method: string, code: number, message: string, when = (_: Call) => true): Fault => ({
  answer: (call) => {
    if (call.method === method && when(call)) throw { code, message }
    return undefined
  },
})
const answering = (result: unknown, ...methods: string[]): Fault => ({
  answer: ({ method }) => (methods.includes(method) ? { result } : undefined),
})

/** Of a query of logs by heights. */
const rangeOf = ({ params }: Call) => (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
/** Blocks of a log query; not a number for anything else. */
const spanOf = (call: Call): number =>
  call.method === getLogs ? Number(rangeOf(call).toBlock) - Number(rangeOf(call).fromBlock) + 1 : Number.NaN

/** 0..9, pseudo-random, the same in every run. */
function scattered(n: number): number {
  const mixed = Math.imul((n + 1) ^ 0x5bd1e995, 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % 10
}

/** Blocks that a node keeps which prunes its history. */
export const keptBlocks = 20
/** As a node answers that has pruned the block which is asked for: null, as geth says it, or an error, as reth does. */
const pruned = (isError: boolean): Fault => ({
  answer: (call, { latest }) => {
    const { method, params } = call
    const at = method === getLogs ? rangeOf(call).fromBlock : params[0]
    const isOfBlock = ['eth_getBlockByNumber', getReceipts, getLogs].includes(method)
    if (!isOfBlock || typeof at !== 'string' || !(Number(at) <= Number(latest) - keptBlocks)) return undefined
    if (isError || method === getLogs) throw { code: 4444, message: 'History has been pruned for this block' }
    return { result: null }
  },
})

/** Other tags than those that are asked for. */
const tagged =
  (tags: (head: Head) => Record<string, string>) =>
  ({ method, params }: Call, head: Head) => {
    const other = method === 'eth_getBlockByNumber' ? tags(head)[params[0] as string] : undefined
    return other ? [other, ...params.slice(1)] : params
  }

const ofBlocks = (change: (block: Json, at: unknown) => Json): Fault => ({
  twist: (result, { method, params }) =>
    method === 'eth_getBlockByNumber' ? change(result, params[0]) : result,
})
/** Logs by query, and those of a receipt unless it is of ranges alone. */
const ofLogs = (change: (logs: Json[]) => Json[], isOfRanges = false): Fault => ({
  twist: (result, call) => {
    if (call.method === getLogs)
      return isOfRanges && rangeOf(call).fromBlock === undefined ? result : change(result)
    if (call.method !== 'eth_getTransactionReceipt' || isOfRanges) return result
    return { ...result, logs: change(result.logs) }
  },
})
/** The same of everything in a block, wherever it is told. */
const ofItems = (change: (items: Json[]) => Json[]): Fault => ({
  twist: (result, { method }) => {
    if (method === getLogs) return change(result)
    const isList = method === getReceipts
    if (!isList && method !== 'eth_getTransactionReceipt') return result
    const told = change(isList ? result : [result]).map((item) => ({
      ...item,
      logs: change(item.logs as Json[]),
    }))
    return isList ? told : told[0]
  },
})
const turned = (turn: (index: number) => number): Fault =>
  ofItems((items) =>
    items.map((item) => ({ ...item, transactionIndex: hexOf(turn(Number(item.transactionIndex))) })),
  )

/** Of every block the first log alone. */
const firstLogs = (logs: Json[]): Json[] =>
  logs.filter(({ blockNumber }, at) => logs.findIndex((log) => log.blockNumber === blockNumber) === at)

/** The first two transactions of a block change places, their logs too if the lie is to be consistent. */
function swapped(isWhole: boolean): Fault {
  const partner: Record<string, string> = { '0x0': '0x1', '0x1': '0x0' }
  const other = (index: unknown) => partner[index as string] ?? index
  const swap = (items: Json[]): Json[] => {
    const has = (block: unknown, index: string) =>
      items.some((item) => item.blockNumber === block && item.transactionIndex === index)
    return items.map((item): Json => {
      if (!has(item.blockNumber, '0x0') || !has(item.blockNumber, '0x1')) return item
      const moved = { ...item, transactionIndex: other(item.transactionIndex) }
      return isWhole && 'logIndex' in item ? { ...moved, logIndex: other(item.logIndex) } : moved
    })
  }
  return {
    twist: (result, { method }) => {
      if (method === getLogs) return swap(result)
      if (method !== getReceipts) return result
      const logs = swap(result.flatMap((receipt: Json) => receipt.logs))
      return swap(result).map((receipt) => ({
        ...receipt,
        logs: logs.filter((log) => log.transactionHash === receipt.transactionHash),
      }))
    },
  }
}

const hexOf = (number: number | bigint, digits = 0): string =>
  `0x${number.toString(16).padStart(digits, '0')}`
const mallory = `0x${'00'.repeat(12)}${'66'.repeat(20)}`

/** Every way in which an endpoint of RPC_URLS has been seen to fail or to lie. */
const table = {
  // The transport
  down: { request: () => new Response(null, { status: 502 }) },
  'http-429': { request: slowDown(1) },
  'http-429-for-an-hour': { request: slowDown(3600) },
  'limit-429': { request: limited },
  'limit-429-for-three-of-ten': {
    request: (body, index) => (scattered(index) < 3 ? limited(body) : undefined),
  },
  'limit-200': { request: failing(200, -32005, 'limit exceeded') },
  'http-500': { request: () => new Response('oops', { status: 500 }) },
  'error-500': { request: failing(500, -32603, 'internal error') },
  'http-401': { request: failing(401, -32600, 'unauthorized') },
  html: {
    request: () => new Response('<html>maintenance</html>', { headers: { 'content-type': 'text/html' } }),
  },
  'cut-json': { request: () => new Response('{"jsonrpc":"2.0","id":1,"result":{"num', json) },
  hang: { hangs: () => true },
  huge: { request: () => new Response(`{"jsonrpc":"2.0","id":1,"result":"${'00'.repeat(20_000_000)}"}`) },
  'no-batches': where(Array.isArray, failing(200, -32600, 'batches are not allowed')),
  // dRPC's free plan says this.
  'batches-of-3': where(
    (body) => Array.isArray(body) && body.length > 3,
    () => {
      const message = 'Batch of more than 3 requests are not allowed on free tier'
      return Response.json({ message, code: 31 }, { status: 500 })
    },
  ),
  // What it knows
  'wrong-chain': answering('0x61', 'eth_chainId'),
  'null-receipts': answering(null, 'eth_getTransactionReceipt', 'eth_getTransactionByHash'),
  'stale-head': {
    ask: tagged((head) => head),
    twist: (result, _, { latest }) =>
      Number(result.blockNumber ?? result.number) > Number(latest) ? null : result,
  },
  'stalled-finality': { ask: tagged(({ finalized }) => ({ finalized })) },
  'no-finalized-tag': refusing(
    ...(['eth_getBlockByNumber', -32602, 'invalid block tag'] as const),
    ({ params }) => params[0] === 'finalized',
  ),
  // What it serves; BNB's own endpoints say this to every log query.
  'logs-disabled': refusing(getLogs, -32005, 'limit exceeded'),
  'no-logs-method': refusing(getLogs, -32601, 'the method eth_getLogs does not exist'),
  'logs-limited-to-5-blocks': refusing(
    ...([getLogs, -32614, 'eth_getLogs is limited to a 5 range'] as const),
    (call) => spanOf(call) > 5,
  ),
  'logs-of-6-blocks-500': where(
    (body) => !Array.isArray(body) && spanOf(body) > 5,
    failing(500, 35, 'ranges over 5 blocks are not supported'),
  ),
  'no-block-receipts': refusing(
    getReceipts,
    -32601,
    `the method ${getReceipts} does not exist/is not available`,
  ),
  'block-receipts-limited': refusing(getReceipts, -32005, 'limit exceeded'),
  'block-receipts-500': where(isBlockReceipts, failing(500, -32603, 'internal error')),
  'block-receipts-hang': { hangs: isBlockReceipts },
  'pruned-null': pruned(false),
  'pruned-error': pruned(true),
  // What it invents of logs
  'empty-logs': {
    answer: (call) => (call.method === getLogs && rangeOf(call).fromBlock ? { result: [] } : undefined),
  },
  'missing-log': ofLogs((logs) => logs.slice(1)),
  // Half a block: its index lacks the first log of a range, while the block itself is whole.
  'missing-range-log': ofLogs((logs) => logs.slice(1), true),
  'invented-range-log': ofLogs((logs) => logs.flatMap((log) => [log, { ...log, logIndex: '0x77' }]), true),
  'other-logs': ofLogs((logs) =>
    logs.map((log) => ({ ...log, topics: (log.topics as string[]).with(1, mallory) })),
  ),
  'other-value': ofLogs((logs) => logs.map((log) => ({ ...log, data: hexOf(10n ** 21n, 64) }))),
  'doubled-log': ofLogs((logs) => [...logs, ...logs.slice(-1)]),
  'half-of-the-logs': {
    twist: (result, { method }) => (method === getLogs ? firstLogs(result) : result),
  },
  // The first transaction of a block has its logs, the others have lost theirs.
  'half-of-the-block': {
    twist: (result, { method }) => {
      if (method === getLogs) return firstLogs(result)
      if (!/Receipts?$/.test(method)) return result
      const half = (one: Json) => (one.transactionIndex === '0x0' ? one : { ...one, logs: [] })
      return Array.isArray(result) ? result.map(half) : half(result)
    },
  },
  'reverted-receipts': {
    twist: (result, { method }) =>
      method === 'eth_getTransactionReceipt' ? { ...result, status: '0x0', logs: [] } : result,
  },
  // Of the order within a block: in contradiction to the order of the logs, or consistently
  'shifted-transaction-index': turned((index) => index + 1),
  'reversed-transaction-index': turned((index) => 1_000 - index),
  'swapped-indexes': swapped(false),
  'swapped-transactions': swapped(true),
  // Of blocks and the head
  'other-block-hash': ofBlocks((block) => ({ ...block, hash: `0x${'ab'.repeat(32)}` })),
  'other-block-time': ofBlocks((block) => ({ ...block, timestamp: hexOf(Number(block.timestamp) + 1) })),
  'empty-bloom': ofBlocks((block) => ({ ...block, logsBloom: hexOf(0, 512) })),
  'unknown-header-form': ofBlocks((block) => ({ ...block, mixHash: undefined })),
  'future-head': ofBlocks((block, at) => (at === 'latest' ? { ...block, timestamp: '0xffffffff' } : block)),
  'final-at-once': { ask: tagged(() => ({ finalized: 'latest' })) },
} as const satisfies Record<string, Fault>

export const faultOf = (name: RpcFault): Fault => table[name]
