import { mapLimit } from '../../core/server/concurrency.ts'
import { type FailureKind, isOutage, RpcFailure } from './failure.ts'
import { type Call, connectRpc } from './rpc.ts'

/** What is shown of an endpoint. It is named by its host alone: the rest of its URL may hold a key. */
export type EndpointHealth = {
  host: string
  state: 'unused' | 'ok' | 'failing' | 'resting'
  /** Failures in a row. */
  failures: number
  /** Questions since the start, and failures by kind. */
  asked: number
  failed: Partial<Record<FailureKind, number>>
  lastFailure: string | null
  /** How payments are found there: by log ranges, by the receipts of single blocks, or not at all. */
  logs: 'unknown' | 'ranges' | 'receipts' | 'none'
  /** Blocks a log query may span. */
  rangeBlocks: number
}

export type Endpoint = {
  host: string
  /** The result of one call; null is an answer. Throws RpcFailure. */
  ask: (method: string, params: readonly unknown[], maxBytes?: number) => Promise<unknown>
  /** Results in the order asked, sent in batches as large as the endpoint takes. The first refusal is thrown. */
  askMany: (calls: readonly Call[]) => Promise<unknown[]>
  /** What was learned about its log queries. */
  logs: { mode: EndpointHealth['logs']; rangeBlocks: number; offUntil: number; noReceiptsUntil: number }
  health: () => EndpointHealth
}

/** Blocks of the first log query; it grows and shrinks from there. */
export const firstRange = 1_000
const failuresToRest = 5
/** Short: a ticket is to be credited within 5 s after an endpoint has come back. */
const restMs = 2_000
const longestRestMs = 30_000
const batchCalls = 100
const batchesAtOnce = 4
const batchMaxBytes = 16 * 1_048_576

/**
 * One URL of RPC_URLS: makes sure that it serves `chainId`, at first use and again after a failure, and
 * leaves it alone for a while after several failures in a row; then a single question tries it again.
 */
export function connectEndpoint(url: string, chainId: number): Endpoint {
  const rpc = connectRpc(url)
  const { host } = new URL(url)
  let failures = 0
  let used = false
  let asked = 0
  const failed: EndpointHealth['failed'] = {}
  let lastFailure: string | null = null
  let restUntil = 0
  let failedAt = 0
  let checked: Promise<void> | undefined
  let batchSize = batchCalls
  const logs: Endpoint['logs'] = { mode: 'unknown', rangeBlocks: firstRange, offUntil: 0, noReceiptsUntil: 0 }

  async function guard<T>(act: () => Promise<T>): Promise<T> {
    if (performance.now() < restUntil) throw new RpcFailure('resting')
    used = true
    asked++
    const began = performance.now()
    try {
      checked ??= check()
      await checked
      const result = await act()
      failures = 0
      return result
    } catch (error) {
      const failure = error instanceof RpcFailure ? error : new RpcFailure('body')
      failed[failure.kind] = (failed[failure.kind] ?? 0) + 1
      if (isOutage(failure)) noteOutage(failure, began)
      throw failure
    }
  }

  async function check(): Promise<void> {
    const id = await rpc.one({ method: 'eth_chainId', params: [] })
    if (typeof id !== 'string' || Number(id) !== chainId) throw new RpcFailure('wrong-chain')
  }

  /** Questions that were under way together count as one failure. */
  function noteOutage(failure: RpcFailure, began: number): void {
    checked = undefined
    if (began >= failedAt) failures++
    failedAt = performance.now()
    lastFailure = failure.message
    const wanted = failure.retryAfterMs ?? (failures >= failuresToRest ? restMs : 0)
    restUntil = Math.max(restUntil, performance.now() + Math.min(wanted, longestRestMs))
  }

  /** A batch that is refused as a whole is tried again in halves: providers differ in how many they take. */
  async function sendBatch(calls: readonly Call[]): Promise<unknown[]> {
    try {
      const results = await guard(async () => {
        const [only] = calls
        return only && calls.length === 1
          ? [await rpc.one(only, { maxBytes: batchMaxBytes })]
          : rpc.many(calls)
      })
      if (calls.length === batchSize) batchSize = Math.min(batchCalls, batchSize + 1)
      return results
    } catch (error) {
      if (calls.length === 1 || !(error instanceof RpcFailure) || isOutage(error)) throw error
      const half = Math.ceil(calls.length / 2)
      batchSize = Math.max(1, Math.min(batchSize, half))
      return [...(await sendBatch(calls.slice(0, half))), ...(await sendBatch(calls.slice(half)))]
    }
  }

  return {
    host,
    logs,
    ask: (method, params, maxBytes) =>
      guard(() => rpc.one({ method, params }, maxBytes === undefined ? {} : { maxBytes })),
    askMany: async (calls) => {
      const began = performance.now()
      const batches: Call[][] = []
      for (let at = 0; at < calls.length; at += batchSize) batches.push(calls.slice(at, at + batchSize))
      const flat = (await mapLimit(batches, batchesAtOnce, sendBatch)).flat()
      const refused = flat.find((result) => result instanceof RpcFailure)
      if (refused instanceof RpcFailure) {
        if (isOutage(refused)) noteOutage(refused, began)
        throw refused
      }
      return flat
    },
    health: () => ({
      host,
      state: performance.now() < restUntil ? 'resting' : failures > 0 ? 'failing' : used ? 'ok' : 'unused',
      failures,
      asked,
      failed: { ...failed },
      lastFailure,
      logs: logs.mode,
      rangeBlocks: logs.rangeBlocks,
    }),
  }
}
