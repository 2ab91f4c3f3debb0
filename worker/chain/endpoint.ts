import type { EndpointHealth } from '../../core/chain/chain-health.ts'
import { limit, mapLimit } from '../../core/server/concurrency.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import type { Seat } from './agree.ts'
import {
  type Call,
  connectRpc,
  type FailureKind,
  isFailure,
  isTooLarge,
  mebibyte,
  RpcFailure,
} from './transport.ts'

/** What is counted of an endpoint: why it failed, and where it contradicted itself or differed from another one. */
type Trouble = FailureKind | 'difference'
/** With the requests since the start, and the failures by kind. */
export type CountedHealth = EndpointHealth & { asked: number; failed: Partial<Record<Trouble, number>> }
export type ManyOptions<T> = { read?: (answer: unknown, call: Call) => T; maxBytes?: number }

/** One way to find payments, and what is known of it at an endpoint; refusals in a row, and the time of the first. */
type Way = { hasAnswered: boolean; refusals: number; refusedAt: number; isOff: boolean }
type WayName = 'ranges' | 'receipts'

/** Blocks of the first log query; it grows and shrinks from there. */
export const firstRange = 1_000
/** Step size where blocks are read one by one. */
export const shortStep = 100
/** So long it is told of an endpoint that it was blamed. */
const blamedMs = 10 * 60_000
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
/** The receipt of one transaction is as large as its gas allows: some 17 MB of empty logs at BSC's limit of
 * 2^24. A stranger can make many of them, so they are read one at a time. */
const largestBytes = 32 * mebibyte

export type Endpoint = ReturnType<typeof connectEndpoint>

/** One URL of RPC_URLS: checks that it serves `chainId`, at first use and again after a failure. After
 * several failures in a row it rests for a while; then a single request probes it. */
export function connectEndpoint(url: string, chainId: number, seat: Seat, clock: Clock = realClock) {
  const { now } = clock
  const rpc = connectRpc(url, clock)
  const { host } = new URL(url)
  const failed: CountedHealth['failed'] = {}
  let [failures, asked, failedUpTo, used, isProbed] = [0, 0, 0, false, false]
  let lastFailure: string | null = null
  let blamed = { until: Number.NEGATIVE_INFINITY, text: '' }
  let restUntil = Number.NEGATIVE_INFINITY
  let checked: Promise<void> | undefined
  let [batchSize, refusedSize, refusedAt] = [batchCalls, Number.POSITIVE_INFINITY, 0]
  const oneAtATime = limit(1)
  const bulk = limit(batchesAtOnce)
  const logs = openWays(now)

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
    const timeoutMs = failures > 0 ? probeTimeoutMs : undefined
    const id = await rpc.one({ method: 'eth_chainId', params: [] }, { timeoutMs })
    if (typeof id !== 'string' || Number(id) !== chainId) throw new RpcFailure('wrong-chain')
  }

  function note(error: unknown, began: Began, isTrouble: (failure: RpcFailure) => boolean): RpcFailure {
    const failure = error instanceof RpcFailure ? error : new RpcFailure('body')
    count(failure.kind)
    if (isTrouble(failure)) noteOutage(failure, began)
    return failure
  }

  function count(trouble: Trouble): void {
    failed[trouble] = (failed[trouble] ?? 0) + 1
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

  /** A batch that is refused as a whole is retried in halves; the half that is answered shows the accepted
   * size. Only a refused single call counts as an outage: an endpoint in trouble refuses that too. */
  async function sendBatch(calls: readonly Call[], options: ManyOptions<unknown>): Promise<unknown[]> {
    const { read = (answer: unknown) => answer, maxBytes } = options
    const [only] = calls
    if (only && calls.length === 1) return [read(await sendOne(only), only)]
    let answers: unknown[]
    try {
      answers = await guard(
        async () => expectTaken(await rpc.many(calls, { maxBytes })),
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
    return calls.map((call, index) =>
      answers[index] instanceof RpcFailure ? answers[index] : read(answers[index], call),
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
    /** The result of one call; null is an answer. Throws RpcFailure. */
    ask: (method: string, params: readonly unknown[], maxBytes?: number): Promise<unknown> =>
      guard(() => rpc.one({ method, params }, { maxBytes })),
    /** Results in the order given; throws the first refusal. `read` takes what is needed before the next
     * batch, of at most `maxBytes`, is asked for. */
    askMany: async <T = unknown>(calls: readonly Call[], options: ManyOptions<T> = {}): Promise<T[]> => {
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
    /** An answer of it cannot be, by itself or beside that of another one: that is counted and named, and no outage. */
    blame: (trouble: 'contradiction' | 'difference', facts: Record<string, unknown>): void => {
      count(trouble)
      blamed = { until: now() + blamedMs, text: [trouble, ...Object.values(facts)].join(' ') }
      if (trouble === 'contradiction') seat.alarm('an endpoint contradicts itself', facts)
    },
    health: (): CountedHealth => ({
      ...{ host, state: stateNow(), failures, asked, failed: { ...failed } },
      lastFailure: failures === 0 && now() < blamed.until ? blamed.text : lastFailure,
      ...{ logs: logs.mode(), rangeBlocks: logs.rangeBlocks },
    }),
  }
}

/** When a request began, and which one of all it is. */
type Began = { at: number; turn: number }

/** Some refuse a batch that is too large by refusing each of its calls. */
function expectTaken(results: unknown[]): unknown[] {
  const [first] = results
  const isRefused = (result: unknown) => result instanceof RpcFailure && result.says(/\bbatch/i)
  if (results.length > 1 && results.every(isRefused)) throw first
  return results
}

/** True when the endpoint itself is in trouble, not when it refuses one request. */
const isOutage = (failure: RpcFailure): boolean =>
  !isFailure(failure, 'rpc', 'too-large', 'contradiction', 'behind', 'pruned', 'no-logs', 'resting')

/** True when a batch may be too large: providers differ in the size they accept and in how they refuse. */
const isBatchRefusal = (failure: RpcFailure): boolean =>
  ['rpc', 'too-large', 'body'].includes(failure.kind) ||
  (failure.kind === 'http' && failure.code !== 401 && failure.code !== 403)

const methodNotFound = -32601
const enoughRefusals = 3
/** A way that has answered before may refuse for this long before it is off; others may serve meanwhile. */
const deadlineMs = 10_000
/** A disabled way is tried again at this interval, with one request: plans and settings change. */
const askAgainMs = 60_000
/** With both off payments wait, and a ticket must be credited within 5 s after the endpoint has recovered. */
const askAgainSoonMs = 2_000

/** The ways to find payments: `eth_getLogs` over ranges, and the receipts of whole blocks. */
function openWays(now: () => number) {
  const newWay = (): Way => ({ hasAnswered: false, refusals: 0, refusedAt: 0, isOff: false })
  const ways: Record<WayName, Way> = { ranges: newWay(), receipts: newWay() }
  const isMute = () => ways.ranges.isOff && ways.receipts.isOff
  let askAgainAt = Number.NEGATIVE_INFINITY
  const postpone = () => {
    askAgainAt = now() + (isMute() ? askAgainSoonMs : askAgainMs)
  }
  return {
    ...ways,
    rangeBlocks: firstRange,
    /** Blocks a step may span: fewer after a failure, so that fewer requests are wasted. */
    stepBlocks: firstRange,
    /** True if neither way is left: such an endpoint finds no payments. */
    isMute,
    answered: (name: WayName): void =>
      void Object.assign(ways[name], { hasAnswered: true, refusals: 0, isOff: false }),
    /** A way is off if the method does not exist, never answered or keeps refusing, not after one failure. */
    refused: (name: WayName, { code }: RpcFailure): void => {
      const way = ways[name]
      if (way.refusals++ === 0) way.refusedAt = now()
      const isLong = !way.hasAnswered || now() - way.refusedAt >= deadlineMs
      if (code !== methodNotFound && (way.refusals < enoughRefusals || !isLong)) return
      way.isOff = true
      postpone()
    },
    /** The ways to try again now; postpones the next try. */
    takeDue: (): WayName[] => {
      const off = (['ranges', 'receipts'] as const).filter((name) => ways[name].isOff)
      if (off.length === 0 || now() < askAgainAt) return []
      postpone()
      return off
    },
    /** How the endpoint finds payments: by log ranges, by the receipts of single blocks, or not at all. */
    mode: (): EndpointHealth['logs'] => {
      if (isMute()) return 'none'
      if (ways.ranges.isOff) return 'receipts'
      return ways.ranges.hasAnswered ? 'ranges' : 'unknown'
    },
  }
}

export const isMethodMissing = ({ code }: RpcFailure): boolean => code === methodNotFound
