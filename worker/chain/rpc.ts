import { type Clock, realClock } from '../../core/server/time.ts'
import { RpcFailure } from './failure.ts'
import { openHttp } from './rpc-http.ts'
import type { Call } from './rpc-send.ts'
import { openSocket } from './rpc-socket.ts'

export type Rpc = {
  /** The `result` of one call; null is an answer. Throws RpcFailure. */
  one: (call: Call, limits?: Limits) => Promise<unknown>
  /** The results of one JSON-RPC batch, in the order given; a refused call is an RpcFailure in its place. */
  many: (calls: readonly Call[], limits?: Limits) => Promise<unknown[]>
}
type Limits = { maxBytes?: number; timeoutMs?: number }

const mebibyte = 1_048_576
const withinMs = 5_000
/** A block's header or a receipt; batches and logs may be larger. */
const oneMaxBytes = mebibyte
const manyMaxBytes = 16 * mebibyte

/** JSON-RPC over HTTP or a WebSocket: a limit of 5 s for the whole answer, and a limit on its size. */
export function connectRpc(url: string, clock: Clock = realClock): Rpc {
  const send = url.startsWith('ws') ? openSocket(url, clock) : openHttp(url, clock)
  return {
    one: async (call, { maxBytes = oneMaxBytes, timeoutMs = withinMs } = {}) =>
      unwrap(await send({ ...call, id: 1 }, { maxBytes, timeoutMs })),
    many: async (calls, { maxBytes = manyMaxBytes, timeoutMs = withinMs } = {}) => {
      if (calls.length === 0) return []
      const replies = await send(
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

/** BNB's endpoints also say "limit exceeded" where logs are off, so that alone is not a rate limit. */
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
