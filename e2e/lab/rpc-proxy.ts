import type { RpcFault } from './rpc-faults.ts'
import { lie, redirect } from './rpc-lies.ts'
import { twist } from './rpc-twists.ts'

export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>

type Call = { id: unknown; method: string; params: unknown[] }
type Json = Record<string, unknown>

const json = { headers: { 'content-type': 'application/json' } }

/** A proxy before a node that fails as set; everything else goes through. */
export async function startRpcProxy(upstream: string) {
  let faults = new Set<RpcFault>()
  let counts = new Map<string, number>()
  let requests = 0
  const hanging = counter()
  let frozen: { latest: string; finalized: string } | undefined

  const pass = (body: string): Promise<Response> => fetch(upstream, { method: 'POST', ...json, body })
  const ask = async (method: string, params: unknown[]): Promise<Json> => {
    const response = await pass(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    return (await response.json()) as Json
  }
  const heightOf = async (tag: string): Promise<string> =>
    ((await ask('eth_getBlockByNumber', [tag, false])).result as { number: string }).number

  const note = ({ method }: Call) => counts.set(method, (counts.get(method) ?? 0) + 1)
  async function answer(call: Call): Promise<Json> {
    note(call)
    const early = refuse(call, faults)
    if (early) return { jsonrpc: '2.0', id: call.id, ...early }
    frozen ??= { latest: await heightOf('latest'), finalized: await heightOf('finalized') }
    const forgotten = forget(call, faults, Number(frozen.latest))
    if (forgotten) return { jsonrpc: '2.0', id: call.id, ...forgotten }
    const params = redirect({ ...call, params: pinTags(call, faults, frozen) }, faults)
    const { result, error } = await ask(call.method, params)
    const told = error ? { error } : { result: twist(call, lie(call, result, faults), faults, frozen) }
    return { jsonrpc: '2.0', id: call.id, ...told }
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const asked = await request.text()
      const body = JSON.parse(asked) as Call | Call[]
      const broken = breakTransport(faults, body, requests++)
      if (broken) return broken
      if (faults.size === 0) {
        for (const call of Array.isArray(body) ? body : [body]) note(call)
        return new Response(await (await pass(asked)).arrayBuffer(), json)
      }
      const isSlow = faults.has('block-receipts-hang') && isBlockReceipts(body)
      if (isSlow || faults.has('hang')) {
        hanging.add()
        return new Promise<never>(() => undefined)
      }
      if (Array.isArray(body) && faults.has('no-batches'))
        return Response.json({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32600, message: 'batches are not allowed' },
        })
      const reply = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)
      const text = JSON.stringify(reply)
      return new Response(faults.has('cut-json') ? text.slice(0, text.length / 2) : text, json)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** From now on these faults and no others. */
    set: (...next: RpcFault[]) => {
      faults = new Set(next)
      counts = new Map()
      requests = 0
      hanging.clear()
      frozen = undefined
    },
    /** How often a method was asked since the last `set`. */
    asked: (method: string) => counts.get(method) ?? 0,
    /** HTTP requests since the last `set`, answered or not. */
    requests: () => requests,
    /** How many requests were taken and left without an answer since the last `set`; resolves once there are so many. */
    hung: hanging.count,
    hangs: hanging.reaches,
    stop: () => server.stop(true),
  }
}

/** Counts, and tells when it has come so far. */
function counter() {
  let count = 0
  let waiting: { for: number; resolve: () => void }[] = []
  return {
    add: () => {
      count++
      for (const one of waiting) if (one.for <= count) one.resolve()
      waiting = waiting.filter((one) => one.for > count)
    },
    clear: () => {
      count = 0
    },
    count: () => count,
    reaches: (least: number) =>
      new Promise<void>((resolve) => {
        if (count >= least) resolve()
        else waiting.push({ for: least, resolve })
      }),
  }
}

function breakTransport(
  faults: ReadonlySet<RpcFault>,
  body: Call | Call[],
  request: number,
): Response | undefined {
  if (faults.has('limit-429') || (faults.has('limit-429-for-three-of-ten') && scattered(request) < 3))
    return rpcError(429, body, -32005, 'limit exceeded')
  if (faults.has('limit-200')) return rpcError(200, body, -32005, 'limit exceeded')
  if (faults.has('error-500')) return rpcError(500, body, -32603, 'internal error')
  if (faults.has('http-401')) return rpcError(401, body, -32600, 'unauthorized')
  // dRPC's free plan says this.
  if (faults.has('batches-of-3') && Array.isArray(body) && body.length > 3)
    return Response.json(
      { message: 'Batch of more than 3 requests are not allowed on free tier', code: 31 },
      { status: 500 },
    )
  if (faults.has('logs-of-6-blocks-500') && !Array.isArray(body) && spanOf(body) > 5)
    return rpcError(500, body, 35, 'ranges over 5 blocks are not supported')
  if (faults.has('block-receipts-500') && isBlockReceipts(body))
    return rpcError(500, body, -32603, 'internal error')
  if (faults.has('http-429-for-an-hour'))
    return new Response('slow down', { status: 429, headers: { 'retry-after': '3600' } })
  if (faults.has('down')) return new Response(null, { status: 502 })
  if (faults.has('http-429'))
    return new Response('slow down', { status: 429, headers: { 'retry-after': '1' } })
  if (faults.has('http-500')) return new Response('oops', { status: 500 })
  if (faults.has('html'))
    return new Response('<html>maintenance</html>', { headers: { 'content-type': 'text/html' } })
  if (faults.has('huge'))
    return new Response(`{"jsonrpc":"2.0","id":1,"result":"${'00'.repeat(20_000_000)}"}`)
  return undefined
}

const isBlockReceipts = (body: Call | Call[]): boolean =>
  !Array.isArray(body) && body.method === 'eth_getBlockReceipts'

/** 0..9, pseudo-random, the same in every run. */
function scattered(n: number): number {
  const mixed = Math.imul((n + 1) ^ 0x5bd1e995, 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % 10
}

/** A JSON-RPC error, to a batch as a whole too, under any HTTP status. */
const rpcError = (status: number, body: Call | Call[], code: number, message: string): Response =>
  Response.json(
    { jsonrpc: '2.0', id: Array.isArray(body) ? null : body.id, error: { code, message } },
    { status },
  )

/** Blocks of a log query; not a number for anything else. */
function spanOf({ method, params }: Pick<Call, 'method' | 'params'>): number {
  if (method !== 'eth_getLogs') return Number.NaN
  const { fromBlock, toBlock } = params[0] as { fromBlock?: string; toBlock?: string }
  return Number(toBlock) - Number(fromBlock) + 1
}

type Refusal = { error: { code: number; message: string } } | { result: unknown }

function refuse({ method, params }: Call, faults: ReadonlySet<RpcFault>): Refusal | undefined {
  const error = (code: number, message: string) => ({ error: { code, message } })
  if (method === 'eth_chainId' && faults.has('wrong-chain')) return { result: '0x61' }
  if (method === 'eth_getTransactionReceipt' && faults.has('null-receipts')) return { result: null }
  if (method === 'eth_getTransactionByHash' && faults.has('null-receipts')) return { result: null }
  if (method === 'eth_getBlockReceipts' && faults.has('no-block-receipts'))
    return error(-32601, 'the method eth_getBlockReceipts does not exist/is not available')
  if (method === 'eth_getBlockReceipts' && faults.has('block-receipts-limited'))
    return error(-32005, 'limit exceeded')
  if (method === 'eth_getBlockByNumber' && params[0] === 'finalized' && faults.has('no-finalized-tag'))
    return error(-32602, 'invalid block tag')
  if (method !== 'eth_getLogs') return undefined
  if (faults.has('no-logs-method')) return error(-32601, 'the method eth_getLogs does not exist')
  const { fromBlock } = params[0] as { fromBlock?: string }
  const span = spanOf({ method, params })
  // BNB's own endpoints say this to every log query.
  if (faults.has('logs-disabled')) return error(-32005, 'limit exceeded')
  if (faults.has('logs-limited-to-5-blocks') && span > 5)
    return error(-32614, 'eth_getLogs is limited to a 5 range')
  if (faults.has('empty-logs') && fromBlock) return { result: [] }
  return undefined
}

/** Blocks that a node keeps which prunes its history. */
export const keptBlocks = 20

/** What a node answers that has pruned the block which is asked for. */
function forget({ method, params }: Call, faults: ReadonlySet<RpcFault>, head: number): Refusal | undefined {
  const isError = faults.has('pruned-error')
  if (!isError && !faults.has('pruned-null')) return undefined
  const [first] = params as [string | { fromBlock?: string } | undefined]
  const at = method === 'eth_getLogs' ? (first as { fromBlock?: string }).fromBlock : first
  const isOfBlock = ['eth_getBlockByNumber', 'eth_getBlockReceipts', 'eth_getLogs'].includes(method)
  if (!isOfBlock || typeof at !== 'string' || !(Number(at) <= head - keptBlocks)) return undefined
  if (isError || method === 'eth_getLogs')
    return { error: { code: 4444, message: 'History has been pruned for this block' } }
  return { result: null }
}

function pinTags(
  { method, params }: Call,
  faults: ReadonlySet<RpcFault>,
  frozen: { latest: string; finalized: string },
): unknown[] {
  if (method !== 'eth_getBlockByNumber') return params
  const [tag, ...rest] = params
  if (tag === 'latest' && faults.has('stale-head')) return [frozen.latest, ...rest]
  if (tag === 'finalized' && (faults.has('stale-head') || faults.has('stalled-finality')))
    return [frozen.finalized, ...rest]
  return params
}
