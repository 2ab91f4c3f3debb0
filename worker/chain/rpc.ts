import { getHttpRpcClient } from 'viem/utils'
import { RpcFailure } from './failure.ts'

export type Call = { method: string; params: readonly unknown[] }
export type Rpc = {
  /** The `result` of one call; null is an answer. Throws RpcFailure. */
  one: (call: Call, limits?: Limits) => Promise<unknown>
  /** The results of one JSON-RPC batch, in the order asked; a call that was refused is an RpcFailure in its place. */
  many: (calls: readonly Call[], limits?: Limits) => Promise<unknown[]>
}
type Limits = { maxBytes?: number; timeoutMs?: number }

const mebibyte = 1_048_576
const timeoutMs = 5_000
/** A block's header or a receipt; batches and logs may be larger. */
const oneMaxBytes = mebibyte
const manyMaxBytes = 16 * mebibyte

/** JSON-RPC over HTTP: 5 s for the whole answer and a cap on its size, whatever the other side does. */
export function connectRpc(url: string): Rpc {
  const client = getHttpRpcClient(url)

  async function post(
    body: object,
    limits: { maxBytes: number; timeoutMs?: number | undefined },
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(limits.timeoutMs ?? timeoutMs)
    try {
      return await client.request({
        body: body as never,
        fetchOptions: { signal },
        onResponse: judgeStatus,
        maxResponseBodySize: limits.maxBytes,
        timeout: 0,
      })
    } catch (error) {
      throw signal.aborted ? new RpcFailure('timeout') : toFailure(error)
    }
  }

  return {
    one: async (call, { maxBytes = oneMaxBytes, timeoutMs } = {}) =>
      unwrap(await post({ ...call, id: 1 }, { maxBytes, timeoutMs })),
    many: async (calls, { maxBytes = manyMaxBytes, timeoutMs } = {}) => {
      if (calls.length === 0) return []
      const replies = await post(
        calls.map((call, id) => ({ ...call, id })),
        { maxBytes, timeoutMs },
      )
      if (!Array.isArray(replies)) unwrap(replies)
      return inOrder(replies as unknown[], calls.length)
    },
  }
}

type Reply = { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } | null }

function unwrap(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null) throw new RpcFailure('body')
  const { result, error } = reply as Reply
  if (error) {
    const code = typeof error.code === 'number' ? error.code : undefined
    const text = typeof error.message === 'string' ? error.message : ''
    const failure = new RpcFailure('rpc', code, text)
    throw isRateLimit(failure) ? new RpcFailure('busy', code, text) : failure
  }
  if (result === undefined) throw new RpcFailure('body')
  return result
}

/** "limit exceeded" alone is also what BNB's endpoints say where logs are off, so it is not taken for a rate. */
const isRateLimit = (failure: RpcFailure): boolean =>
  failure.code === 429 || failure.says(/too many requests|rate.?limit|per second|capacity|quota|throughput/i)

function inOrder(replies: readonly unknown[], count: number): unknown[] {
  if (replies.length !== count) throw new RpcFailure('body')
  const results = new Array<unknown>(count)
  const seen = new Set<number>()
  for (const reply of replies) {
    const { id } = (reply ?? {}) as Reply
    if (typeof id !== 'number' || !(id >= 0 && id < count) || seen.has(id)) throw new RpcFailure('body')
    seen.add(id)
    try {
      results[id] = unwrap(reply)
    } catch (error) {
      results[id] = error
    }
  }
  return results
}

/**
 * These say more than any body: viem would hand on a JSON-RPC error that comes with them as if it were the
 * answer to the question. Other statuses, such as 400, come with a JSON-RPC error that is one.
 */
function judgeStatus({ status, headers, body }: Response): void {
  if (![401, 403, 413, 429].includes(status) && status < 500) return
  body?.cancel().catch(() => undefined)
  throw ofStatus(status, headers)
}

function ofStatus(status: number, headers?: Headers): RpcFailure {
  if (status === 413) return new RpcFailure('too-large', 413)
  const retryAfterMs = toMs(headers?.get('retry-after'))
  return new RpcFailure(status === 429 ? 'busy' : 'http', status, '', retryAfterMs)
}

/** viem's messages hold the URL, and a URL holds a key: only the kind goes on. */
function toFailure(error: unknown): RpcFailure {
  const { name, status, headers, cause } = error as {
    name?: string
    status?: number
    headers?: Headers
    cause?: unknown
  }
  if (cause instanceof RpcFailure) return cause
  if (name === 'ResponseBodyTooLargeError') return new RpcFailure('too-large')
  if (status !== undefined) return ofStatus(status, headers)
  return new RpcFailure(cause instanceof SyntaxError ? 'body' : 'network')
}

/** Retry-After: seconds, or a date. */
function toMs(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}
