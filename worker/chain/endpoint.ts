import type { EndpointHealth } from '../../core/chain/chain-health.ts'
import { limit, mapLimit } from '../../core/server/concurrency.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import { type FailureKind, isBatchRefusal, isOutage, isTooLarge, RpcFailure } from './failure.ts'
import { connectRpc } from './rpc.ts'
import type { Call } from './rpc-send.ts'
import type { Seat } from './set-aside.ts'
import { modeOf, newWays, type Ways } from './ways.ts'

/** With the requests since the start, and the failures by kind. */
export type CountedHealth = EndpointHealth & { asked: number; failed: Partial<Record<FailureKind, number>> }

export type Endpoint = {
  host: string
  seat: Seat
  /** The result of one call; null is an answer. Throws RpcFailure. */
  ask: (method: string, params: readonly unknown[], maxBytes?: number) => Promise<unknown>
  /**
   * Results in the order given; batches are as large as the endpoint accepts. Throws the first refusal. `read` takes
   * what is needed of each answer before the next ones are asked for; `maxBytes` is that of a batch.
   */
  askMany: <T = unknown>(calls: readonly Call[], options?: ManyOptions<T>) => Promise<T[]>
  /** What is known about its log queries. */
  logs: Ways & {
    rangeBlocks: number
    /** Blocks a step may span: fewer after a failure, so that fewer requests are wasted. */
    stepBlocks: number
  }
  health: () => CountedHealth
}

/** When a request began, and which one of all it is. */
type Began = { at: number; turn: number }
export type ManyOptions<T> = { read?: (answer: unknown, call: Call) => T; maxBytes?: number }

/** Blocks of the first log query; it grows and shrinks from there. */
export const firstRange = 1_000
/** Step size where blocks are read one by one. */
export const shortStep = 100
const failuresToRest = 5
/** Short: a ticket must be credited within 5 s after an endpoint has recovered. */
const restMs = 2_000
/** Cap on the wait an endpoint requests: its quota may be back at any moment, and buyers wait. */
const longestRestMs = 3_000
/** A recovered endpoint answers this simple request at once; a longer timeout would delay its return. */
const probeTimeoutMs = 2_500
const batchCalls = 100
/** Of one question; long ones share as many, so that two steps of a catch-up that are read at once ask for no more. */
const batchesAtOnce = 4
/** Time after which a refused batch size is tried again. */
const growAfterMs = 60_000
/**
 * The receipt of one transaction is as large as its gas allows: some 17 MB of empty logs at BSC's limit of 2^24. A
 * stranger can make many of them, so they are read one at a time.
 */
const largestBytes = 32 * 1_048_576

/**
 * One URL of RPC_URLS: checks that it serves `chainId`, at first use and again after a failure. After several
 * failures in a row it rests for a while; then a single request probes it.
 */
export function connectEndpoint(
  url: string,
  chainId: number,
  seat: Seat,
  clock: Clock = realClock,
): Endpoint {
  const { now } = clock
  const rpc = connectRpc(url, clock)
  const { host } = new URL(url)
  let failures = 0
  let used = false
  let asked = 0
  const failed: CountedHealth['failed'] = {}
  let lastFailure: string | null = null
  let restUntil = Number.NEGATIVE_INFINITY
  let failedUpTo = 0
  let checked: Promise<void> | undefined
  let batchSize = batchCalls
  let refusedSize = Number.POSITIVE_INFINITY
  let refusedAt = 0
  let isProbed = false
  const oneAtATime = limit(1)
  const bulk = limit(batchesAtOnce)
  const logs: Endpoint['logs'] = { ...newWays(now), rangeBlocks: firstRange, stepBlocks: firstRange }

  async function guard<T>(act: () => Promise<T>, isTrouble = isOutage): Promise<T> {
    const isProbe = failures >= failuresToRest
    if (now() < restUntil || (isProbe && isProbed)) throw new RpcFailure('resting')
    if (isProbe) isProbed = true
    used = true
    const began = { at: now(), turn: ++asked }
    try {
      checked ??= check()
      // This check covers the endpoint as a whole: any failure of it is an outage, and it is repeated.
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

  function note(error: unknown, began: Began, isTrouble: (failure: RpcFailure) => boolean): RpcFailure {
    const failure = error instanceof RpcFailure ? error : new RpcFailure('body')
    failed[failure.kind] = (failed[failure.kind] ?? 0) + 1
    if (isTrouble(failure)) noteOutage(failure, began)
    return failure
  }

  /** Requests in flight at the same time count as one failure. */
  function noteOutage(failure: RpcFailure, began: Began): void {
    checked = undefined
    if (began.turn > failedUpTo) failures++
    failedUpTo = asked
    lastFailure = failure.message
    const wanted = failure.retryAfterMs ?? (failures >= failuresToRest ? restMs : 0)
    // After a timeout the endpoint has rested since the request began.
    const from = failure.kind === 'timeout' ? began.at : now()
    restUntil = Math.max(restUntil, from + Math.min(wanted, longestRestMs))
  }

  /**
   * A batch that is refused as a whole is retried in halves; the half that is answered shows the accepted
   * size. Only a refused single call counts as an outage: an endpoint in trouble refuses that too.
   */
  async function sendBatch(calls: readonly Call[], options: ManyOptions<unknown>): Promise<unknown[]> {
    const { read = (answer: unknown) => answer, maxBytes } = options
    const [only] = calls
    if (only && calls.length === 1) return [read(await sendOne(only), only)]
    let answers: unknown[]
    try {
      answers = await guard(
        async () => expectTaken(await rpc.many(calls, maxBytes === undefined ? {} : { maxBytes })),
        (failure) => isOutage(failure) && !isBatchRefusal(failure),
      )
      if (calls.length === batchSize) batchSize = grown()
    } catch (error) {
      const isOut = checked === undefined
      if (isOut || !(error instanceof RpcFailure) || !isBatchRefusal(error)) throw error
      const half = Math.ceil(calls.length / 2)
      const results = await sendBatch(calls.slice(0, half), options)
      if (half < batchSize) {
        batchSize = half
        refusedSize = calls.length
        refusedAt = now()
      }
      for (const batch of inBatches(calls.slice(half))) results.push(...(await sendBatch(batch, options)))
      return results
    }
    return answers.map((answer, index) =>
      answer instanceof RpcFailure ? answer : read(answer, calls[index] as Call),
    )
  }

  function sendOne(call: Call): Promise<unknown> {
    return guard(() => rpc.one(call)).catch((error: unknown) => {
      if (!isTooLarge(error)) throw error
      return oneAtATime(() => guard(() => rpc.one(call, { maxBytes: largestBytes })))
    })
  }

  /** Grows by one call at a time, up to a recently refused size. */
  function grown(): number {
    const isKnown = now() - refusedAt < growAfterMs
    return Math.min(isKnown ? refusedSize - 1 : batchCalls, batchCalls, batchSize + 1)
  }

  function inBatches(calls: readonly Call[]): Call[][] {
    const batches: Call[][] = []
    for (let at = 0; at < calls.length; at += batchSize) batches.push(calls.slice(at, at + batchSize))
    return batches
  }

  function stateNow(): EndpointHealth['state'] {
    if (seat.isAside()) return 'aside'
    if (now() < restUntil) return 'resting'
    if (failures > 0) return 'failing'
    return used ? 'ok' : 'unused'
  }

  return {
    host,
    seat,
    logs,
    ask: (method, params, maxBytes) =>
      guard(() => rpc.one({ method, params }, maxBytes === undefined ? {} : { maxBytes })),
    askMany: async <T>(calls: readonly Call[], options: ManyOptions<T> = {}) => {
      const began = { at: now(), turn: asked + 1 }
      const batches = inBatches(calls)
      // A buyer's question is one batch: it does not wait behind those of a catch-up.
      const inTurn = batches.length > 1 ? bulk : <R>(work: () => Promise<R>) => work()
      const send = (batch: readonly Call[]) => inTurn(() => sendBatch(batch, options))
      const flat = (await mapLimit(batches, batchesAtOnce, send)).flat()
      const refused = flat.find((result) => result instanceof RpcFailure)
      if (refused instanceof RpcFailure) {
        if (isOutage(refused)) noteOutage(refused, began)
        throw refused
      }
      return flat as T[]
    },
    health: () => ({
      host,
      state: stateNow(),
      failures,
      asked,
      failed: { ...failed },
      lastFailure,
      logs: modeOf(logs),
      rangeBlocks: logs.rangeBlocks,
    }),
  }
}

/** Some refuse a batch that is too large by refusing each of its calls. */
function expectTaken(results: unknown[]): unknown[] {
  const [first] = results
  const isRefused = (result: unknown) => result instanceof RpcFailure && result.says(/\bbatch/i)
  if (results.length > 1 && results.every(isRefused)) throw first
  return results
}
