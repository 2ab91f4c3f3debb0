import { type Clock, realClock, within } from '../../core/server/time.ts'

/** Why an endpoint gave no usable answer. No kind says anything about the chain itself. */
export type FailureKind =
  | 'network'
  | 'timeout'
  | 'http'
  | 'busy'
  | 'body'
  | 'contradiction'
  | 'too-large'
  | 'rpc'
  | 'wrong-chain'
  | 'resting'
  | 'behind'
  | 'pruned'
  | 'no-logs'

/** One endpoint failed. `text` comes from the endpoint: it is classified, never shown or logged. */
export class RpcFailure extends Error {
  override name = 'RpcFailure'
  readonly #text: string
  constructor(
    readonly kind: FailureKind,
    readonly code?: number,
    text = '',
    readonly retryAfterMs?: number,
  ) {
    super(code === undefined ? kind : `${kind} ${code}`)
    this.#text = text
  }
  says(pattern: RegExp | ((text: string) => boolean)): boolean {
    return typeof pattern === 'function' ? pattern(this.#text) : pattern.test(this.#text)
  }
}

export const isFailure = (error: unknown, ...kinds: FailureKind[]): error is RpcFailure =>
  error instanceof RpcFailure && kinds.includes(error.kind)

/** True when the answer to a single question would be too large, by our limit or the endpoint's; the wording differs. */
export const isTooLarge = (error: unknown): boolean =>
  isFailure(error, 'too-large') ||
  (isFailure(error, 'rpc') && error.says(/too (large|big)|(response|result|body)\b.*\b(exceed|limit)/i))

export type Call = { method: string; params: readonly unknown[] }
type Limits = { maxBytes?: number | undefined; timeoutMs?: number | undefined }
export type Rpc = {
  /** The `result` of one call; null is an answer. Throws RpcFailure. */
  one: (call: Call, limits?: Limits) => Promise<unknown>
  /** The results of many calls, in the order given; a refused call is an RpcFailure in its place. */
  many: (calls: readonly Call[], limits?: Limits) => Promise<unknown[]>
}

export const mebibyte = 1_048_576
const withinMs = 5_000
/** A block's header or a receipt; batches and logs may be larger. */
const oneMaxBytes = mebibyte
const manyMaxBytes = 16 * mebibyte

/** JSON-RPC over HTTP: a limit of 5 s for the whole answer, and one on its size. */
export function connectRpc(url: string, clock: Clock = realClock): Rpc {
  const headers = { 'content-type': 'application/json' }
  const send = (body: Body | Body[], maxBytes: number, timeoutMs = withinMs): Promise<unknown> =>
    within(
      timeoutMs,
      (signal) =>
        fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' })
          .then((response) => readAnswer(response, maxBytes))
          .catch((error: unknown) => {
            if (error instanceof RpcFailure) throw error
            // Messages may hold the URL, which may hold a key: only the kind of failure is passed on.
            if (signal.aborted) throw new RpcFailure('timeout')
            throw new RpcFailure(error instanceof SyntaxError ? 'body' : 'network')
          }),
      clock,
    )
  return {
    one: async (call, { maxBytes = oneMaxBytes, timeoutMs } = {}) =>
      unwrap(await send({ jsonrpc: '2.0', id: 1, ...call }, maxBytes, timeoutMs)),
    many: async (calls, { maxBytes = manyMaxBytes, timeoutMs } = {}) => {
      if (calls.length === 0) return []
      const replies = await send(
        calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })),
        maxBytes,
        timeoutMs,
      )
      if (Array.isArray(replies)) return inOrder(replies, calls.length)
      unwrap(replies)
      throw new RpcFailure('body')
    },
  }
}
type Body = Call & { jsonrpc: '2.0'; id: number }

/** Some statuses count more than the body, whose JSON-RPC error would otherwise be the answer to the request.
 * With other ones, such as 400, it is the answer. */
async function readAnswer(response: Response, maxBytes: number): Promise<unknown> {
  const { status, headers, body, ok } = response
  if ([401, 403, 413, 429].includes(status) || status >= 500) {
    body?.cancel().catch(() => undefined)
    throw ofStatus(status, headers)
  }
  const answer = await readJson(response, maxBytes).catch((error: unknown) => {
    if (ok || !(error instanceof SyntaxError)) throw error
  })
  if (!ok && !(answer as Reply | undefined)?.error) throw ofStatus(status, headers)
  return answer
}

/** Natively where the length that is told is that of what comes; else it is counted, which costs half as much again. */
async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const { headers, body } = response
  const length = headers.get('content-length')
  const isTold = length && !headers.has('content-encoding') && !headers.has('transfer-encoding')
  if (isTold && Number(length) <= maxBytes) return response.json()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new RpcFailure('too-large')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString())
}

function ofStatus(status: number, headers?: Headers): RpcFailure {
  if (status === 413) return new RpcFailure('too-large', 413)
  return new RpcFailure(status === 429 ? 'busy' : 'http', status, '', toMs(headers?.get('retry-after')))
}

/** Retry-After: seconds, or a date. */
function toMs(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? ms : undefined
}

type Reply = { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown } | null }

function unwrap(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null) throw new RpcFailure('body')
  const { result, error }: Reply = reply
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
  const results = new Map<number, unknown>()
  for (const reply of replies) {
    const { id }: Reply = reply ?? {}
    if (typeof id !== 'number' || !(id >= 0 && id < count) || results.has(id)) throw new RpcFailure('body')
    try {
      results.set(id, unwrap(reply))
    } catch (error) {
      results.set(id, error)
    }
  }
  return Array.from({ length: count }, (_, id) => results.get(id))
}
