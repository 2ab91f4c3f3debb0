import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { anchorsLeft } from '../core/draw/anchor.ts'
import { type JobName, queueNames } from '../core/jobs.ts'
import { collectProcessMetrics } from '../core/server/metrics-server.ts'
import type { JobQueue } from '../core/server/queue.ts'
import { withDeadline } from '../core/server/time.ts'
import type { Db } from '../db/index.ts'
import { eventStates, type Figures, readFigures } from '../db/report/sales.ts'
import type { Chain } from './chain/index.ts'
import type { RelayOutcome } from './draw/relays.ts'

type Sources = {
  db: Db
  jobs: Pick<JobQueue, 'counts' | 'ages' | 'memory'>
  chain: Pick<Chain, 'health'>
}
export type JobOutcome = 'done' | 'again' | 'failed'

/** Counters of this process, and figures of queue, chain and database. Every worker reads the latter when the
 * series are scraped: queries take the `max` over the workers, never the sum. */
export function createMetrics({ db, jobs, chain }: Sources) {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `blockdraw_${name}`, help, labelNames, registers: [registry] })

  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `blockdraw_${name}`, help, labelNames, registers: [registry] })

  const jobsTotal = counter('jobs_total', 'Jobs by outcome; `again`: something was not there yet.', [
    'job',
    'outcome',
  ])
  const seconds = new Histogram({
    name: 'blockdraw_job_seconds',
    help: 'How long jobs took.',
    labelNames: ['job'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const historyMissing = counter('history_missing_total', 'Jobs that lacked old blocks at every endpoint.', [
    'job',
  ])
  const queued = gauge('queue_jobs', 'Jobs of each queue.', ['queue', 'state'])
  const queueAge = gauge('queue_oldest_seconds', 'How long the first job in line has waited.', ['queue'])
  const queueUp = gauge('queue_up', '1 while the queue can be asked.')
  const redisUsed = gauge('redis_memory_bytes', 'Memory that Redis uses for data.')
  const redisLimit = gauge('redis_memory_limit_bytes', 'What it may use; beyond that it takes no jobs.')
  const databaseUp = gauge('database_up', '1 while the database answers.')

  const finalHeight = gauge('chain_final_height', 'Newest final block this worker has seen.')
  const finalityLag = gauge('chain_finality_lag_seconds', 'Age of the newest final block.')
  const finalityStalled = gauge('chain_finality_stalled', '1 while `finalized` has stood still for 60 s.')
  const clockSkew = gauge(
    'chain_clock_skew_seconds',
    'How far the newest block is ahead of the database clock; below 0 it is behind.',
  )
  const headersUnknown = gauge(
    'chain_headers_unknown',
    '1 after a header whose hash is not that of its fields.',
  )
  const rpcUnsafe = gauge('rpc_unsafe', '1 while RPC_UNSAFE lets one provider be believed.')
  const rpcAside = gauge('rpc_set_aside', '1 while the endpoint is set aside: it told something else.', [
    'host',
  ])
  const rpcUp = gauge('rpc_up', '1 while the endpoint answers; 0 while it fails or rests.', ['host'])
  const rpcCalls = counter('rpc_calls_total', 'Questions put to the endpoint.', ['host'])
  const rpcErrors = counter('rpc_errors_total', 'Failures of the endpoint.', ['host', 'kind'])
  const rpcLogs = gauge('rpc_logs', 'How payments are found there.', ['host', 'mode'])

  const relayAnswers = counter(
    'beacon_answers_total',
    'What relays of the beacon said; `wrong`: a signature that is not the round’s.',
    ['host', 'outcome'],
  )

  const scanHeight = gauge('scan_height', 'Block up to which payments are folded.')
  const scanLag = gauge('scan_lag_seconds', 'Age of that block.')
  const scanIdle = gauge('scan_idle_seconds', 'Since that block was written.')
  const newestAge = gauge('chain_newest_block_age_seconds', 'Age of the newest block seen.')
  const nodesWaiting = gauge('nodes_waiting_seconds', 'Since fewer than two nodes answer; 0 while they do.')
  const claims = gauge('claims', 'Reported hashes that still wait for an answer.', ['status'])
  const claimAge = gauge('claims_oldest_seconds', 'Age of the oldest of them.')
  const payments = gauge('payments', 'Payments of the open event and of none.', ['status', 'reason'])
  const tickets = gauge('tickets_sold', 'Tickets of the open event.')
  const eventState = gauge('event_state', '1 for the state that the open event is in.', ['state'])
  const eventHalted = gauge('event_halted', '1 while sales wait for an administrator.')
  const unreadTwice = gauge(
    'event_unread_twice',
    '1 while blocks of the sale cannot be read a second time, or the ledger was frozen without that.',
  )
  const walletSet = gauge('event_wallet_set', '1 when the open event has an operator wallet.')
  const walletProven = gauge('event_wallet_proven', '1 when that wallet has signed that it is ours.')
  const drawOverdue = gauge('draw_overdue_seconds', 'Since the draw date, while nothing has come of it.')
  const held = gauge('wallets_held_usdt', 'What the wallets held when it was last read, in whole USDT.')
  const required = gauge('wallets_required_usdt', 'What was owed out of it.')
  const coverShort = gauge('cover_short', '1 while the wallets hold less than is owed, or it is unknown.')
  const keyBalance = gauge('anchor_key_balance_wei', 'What the anchor key holds.', ['wallet'])
  const keyAnchors = gauge('anchor_key_anchors', 'So many anchors it can pay for.', ['wallet'])
  const unsent = gauge(
    'notifications_oldest_unsent_seconds',
    'How long the oldest message to a channel has waited; 0 while none does.',
  )
  const clockOffset = gauge(
    'clock_offset_seconds',
    'How far the clock of this worker is ahead of the database clock; below 0 it is behind.',
  )

  function reportChain(): void {
    const { finalHeight: height, finalTime, isStalled, skewSeconds, endpoints, ...rest } = chain.health()
    headersUnknown.set(Number(!rest.areHeadersKnown))
    rpcUnsafe.set(Number(rest.isUnsafe))
    if (skewSeconds !== null) clockSkew.set(skewSeconds)
    if (height !== null) finalHeight.set(Number(height))
    if (finalTime !== null) finalityLag.set(Date.now() / 1000 - finalTime)
    finalityStalled.set(Number(isStalled))
    // The endpoints keep their own counts: their current values are exported.
    for (const metric of [rpcCalls, rpcErrors, rpcLogs]) metric.reset()
    for (const { host, state, asked, failed, logs } of endpoints) {
      rpcUp.set({ host }, Number(state === 'ok' || state === 'unused' || state === 'aside'))
      rpcAside.set({ host }, Number(state === 'aside'))
      rpcCalls.inc({ host }, asked)
      for (const [kind, count] of Object.entries(failed)) rpcErrors.inc({ host, kind }, count)
      rpcLogs.set({ host, mode: logs }, 1)
    }
  }

  async function reportQueue(): Promise<void> {
    const [counts, ages, memory] = await Promise.all([jobs.counts(), jobs.ages(), jobs.memory()])
    if (memory) redisUsed.set(memory.usedBytes)
    if (memory) redisLimit.set(memory.limitBytes)
    queueUp.set(Number(queueNames.every((queue) => counts[queue])))
    for (const metric of [queued, queueAge]) metric.reset()
    for (const queue of queueNames) {
      for (const [state, count] of Object.entries(counts[queue] ?? {})) queued.set({ queue, state }, count)
      const age = ages[queue]
      if (age !== undefined) queueAge.set({ queue }, age)
    }
  }

  function reportFigures(figures: Figures): void {
    const { event, scan, claims: open, payments: paid } = figures
    nodesWaiting.set(figures.nodesWaitingSeconds)
    if (scan) {
      scanHeight.set(scan.height)
      scanLag.set(scan.lagSeconds)
      scanIdle.set(scan.idleSeconds)
      if (scan.newestAgeSeconds !== null) newestAge.set(scan.newestAgeSeconds)
    }
    const { state, held: units, required: owed } = figures.solvency
    held.set(wholeUsdt(units))
    required.set(wholeUsdt(owed))
    coverShort.set(Number(event?.hasWallet === true && state !== 'covered'))
    for (const metric of [keyBalance, keyAnchors]) metric.reset()
    if (figures.anchorKey) {
      const wallet = figures.anchorKey.address
      keyBalance.set({ wallet }, Number(figures.anchorKey.balanceWei))
      keyAnchors.set({ wallet }, anchorsLeft(figures.anchorKey))
    }
    claims.set({ status: 'received' }, open.received)
    claims.set({ status: 'confirming' }, open.confirming)
    claimAge.set(open.oldestSeconds ?? 0)
    payments.reset()
    for (const { status, reason, count } of paid) payments.set({ status, reason }, count)
    for (const state of eventStates) eventState.set({ state }, Number(event?.state === state))
    tickets.set(event?.ticketsSold ?? 0)
    eventHalted.set(Number(event?.isHalted ?? false))
    unreadTwice.set(Number(event?.isUnreadTwice ?? false))
    walletSet.set(Number(event?.hasWallet ?? false))
    walletProven.set(Number(event?.isWalletProven ?? false))
    drawOverdue.set(event?.drawOverdueSeconds ?? 0)
    unsent.set(figures.unsentSeconds)
    clockOffset.set(figures.clockOffsetSeconds)
  }

  async function reportDatabase(): Promise<void> {
    reportFigures(await readFigures(db))
    databaseUp.set(1)
  }

  return {
    contentType: registry.contentType,
    count(job: JobName, outcome: JobOutcome, tookMs: number): void {
      jobsTotal.inc({ job, outcome })
      seconds.observe({ job }, tookMs / 1000)
    },
    countHistoryMissing: (job: JobName): void => historyMissing.inc({ job }),
    countRelay: (host: string, outcome: RelayOutcome): void => relayAnswers.inc({ host, outcome }),
    /** Everything as Prometheus reads it. Without queue or database their series keep the last values. */
    async read(): Promise<string> {
      reportChain()
      await Promise.all([inTime(reportQueue()), inTime(reportDatabase(), () => databaseUp.set(0))])
      return registry.metrics()
    },
  }
}

const wholeUsdt = (units: string | null): number => Number(BigInt(units ?? 0) / 10n ** 18n)

const deadlineMs = 3_000

/** A database that hangs must not keep the other figures from being read. */
const inTime = (telling: Promise<void>, late: () => void = () => undefined): Promise<void> =>
  withDeadline(deadlineMs, telling.catch(late), late)
