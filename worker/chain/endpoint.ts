import { mapLimit } from '../../core/server/concurrency.ts'
import { type FailureKind, isBatchRefusal, isOutage, RpcFailure } from './failure.ts'
import { type Call, connectRpc } from './rpc.ts'
import { modeOf, newWays, type Ways } from './ways.ts'

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
  logs: ReturnType<typeof modeOf>
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
  logs: Ways & {
    rangeBlocks: number
    /** Blocks a step may span: fewer after one that failed, so that less is asked in vain. */
    stepBlocks: number
  }
  health: () => EndpointHealth
}

/** Blocks of the first log query; it grows and shrinks from there. */
export const firstRange = 1_000
/** Where blocks are read one by one, steps are short. */
export const shortStep = 100
const failuresToRest = 5
/** Short: a ticket is to be credited within 5 s after an endpoint has come back. */
const restMs = 2_000
/** However long an endpoint asks for: its quota may be there again any moment, and buyers wait. */
const longestRestMs = 3_000
/** In trouble, a well endpoint answers this simple question at once; a longer wait would delay its return. */
const probeTimeoutMs = 2_500
const batchCalls = 100
const batchesAtOnce = 4
/** After so long a size that was refused is tried again. */
const growAfterMs = 60_000
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
  let refusedSize = Number.POSITIVE_INFINITY
  let refusedAt = 0
  let isProbed = false
  const logs: Endpoint['logs'] = { ...newWays(), rangeBlocks: firstRange, stepBlocks: firstRange }

  async function guard<T>(act: () => Promise<T>, isTrouble = isOutage): Promise<T> {
    const isProbe = failures >= failuresToRest
    if (performance.now() < restUntil || (isProbe && isProbed)) throw new RpcFailure('resting')
    if (isProbe) isProbed = true
    used = true
    asked++
    const began = performance.now()
    try {
      checked ??= check()
      // It stands for the endpoint as a whole: whatever it fails of is an outage, and it is asked again.
      await checked.catch((error) => {
        throw note(error, began, () => true)
      })
      const result = await act().catch((error) => {
        throw note(error, began, isTrouble)
      })
      failures = 0
      return result
    } finally {
      if (isProbe) isProbed = false
    }
  }

  async function check(): Promise<void> {
    const limits = failures > 0 ? { timeoutMs: probeTimeoutMs } : {}
    const id = await rpc.one({ method: 'eth_chainId', params: [] }, limits)
    if (typeof id !== 'string' || Number(id) !== chainId) throw new RpcFailure('wrong-chain')
  }

  function note(error: unknown, began: number, isTrouble: (failure: RpcFailure) => boolean): RpcFailure {
    const failure = error instanceof RpcFailure ? error : new RpcFailure('body')
    failed[failure.kind] = (failed[failure.kind] ?? 0) + 1
    if (isTrouble(failure)) noteOutage(failure, began)
    return failure
  }

  /** Questions that were under way together count as one failure. */
  function noteOutage(failure: RpcFailure, began: number): void {
    checked = undefined
    if (began >= failedAt) failures++
    failedAt = performance.now()
    lastFailure = failure.message
    const wanted = failure.retryAfterMs ?? (failures >= failuresToRest ? restMs : 0)
    // Who waited for an answer in vain has left the endpoint alone for that time already.
    const from = failure.kind === 'timeout' ? began : failedAt
    restUntil = Math.max(restUntil, from + Math.min(wanted, longestRestMs))
  }

  /**
   * A batch that is refused as a whole is tried again in halves. What size is taken is learned from the half
   * that is answered: an endpoint in trouble refuses a single call too, and only that counts as an outage.
   */
  async function sendBatch(calls: readonly Call[]): Promise<unknown[]> {
    const [only] = calls
    if (only && calls.length === 1) return [await guard(() => rpc.one(only, { maxBytes: batchMaxBytes }))]
    try {
      const results = await guard(
        () => rpc.many(calls),
        (failure) => isOutage(failure) && !isBatchRefusal(failure),
      )
      if (calls.length === batchSize) batchSize = grown()
      return results
    } catch (error) {
      const isOut = checked === undefined
      if (isOut || !(error instanceof RpcFailure) || !isBatchRefusal(error)) throw error
      const half = Math.ceil(calls.length / 2)
      const results = await sendBatch(calls.slice(0, half))
      if (half < batchSize) {
        batchSize = half
        refusedSize = calls.length
        refusedAt = performance.now()
      }
      for (const batch of inBatches(calls.slice(half))) results.push(...(await sendBatch(batch)))
      return results
    }
  }

  /** One more call at a time, up to a size that was refused not long ago. */
  function grown(): number {
    const isKnown = performance.now() - refusedAt < growAfterMs
    return Math.min(isKnown ? refusedSize - 1 : batchCalls, batchCalls, batchSize + 1)
  }

  function inBatches(calls: readonly Call[]): Call[][] {
    const batches: Call[][] = []
    for (let at = 0; at < calls.length; at += batchSize) batches.push(calls.slice(at, at + batchSize))
    return batches
  }

  return {
    host,
    logs,
    ask: (method, params, maxBytes) =>
      guard(() => rpc.one({ method, params }, maxBytes === undefined ? {} : { maxBytes })),
    askMany: async (calls) => {
      const began = performance.now()
      const flat = (await mapLimit(inBatches(calls), batchesAtOnce, sendBatch)).flat()
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
      logs: modeOf(logs),
      rangeBlocks: logs.rangeBlocks,
    }),
  }
}
