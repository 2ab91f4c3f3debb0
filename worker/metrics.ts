import { Counter, Gauge, Registry } from 'prom-client'
import { anchorsLeft } from '../core/draw/anchor.ts'
import { type JobName, queueNames } from '../core/jobs.ts'
import { collectProcessMetrics } from '../core/server/metrics-server.ts'
import type { JobQueue } from '../core/server/queue.ts'
import { withDeadline } from '../core/server/time.ts'
import type { Db } from '../db/index.ts'
import { readFigures } from '../db/report/sales.ts'
import type { Chain } from './chain/index.ts'

type Sources = {
  db: Db
  jobs: Pick<JobQueue, 'counts' | 'memory'>
  chain: Pick<Chain, 'health'>
}
export type JobOutcome = 'done' | 'again' | 'failed'

/** What the alerts ask for: counters of this process, and figures of queue, chain and database. Every worker reads
 * the latter when the series are scraped: queries take the `max` over the workers, never the sum. */
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
  const historyMissing = counter('history_missing_total', 'Jobs that lacked old blocks at every endpoint.', [
    'job',
  ])
  const queueAge = gauge('queue_oldest_seconds', 'How long the first job in line has waited.', ['queue'])
  const queueUp = gauge('queue_up', '1 while the queue can be asked.')
  const redisUsed = gauge('redis_memory_bytes', 'Memory that Redis uses for data.')
  const redisLimit = gauge('redis_memory_limit_bytes', 'What it may use; beyond that it takes no jobs.')
  const databaseUp = gauge('database_up', '1 while the database answers.')

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
  const rpcAside = gauge('rpc_set_aside', '1 while the endpoint is set aside: it told something else.', [
    'host',
  ])
  const rpcUp = gauge('rpc_up', '1 while the endpoint answers; 0 while it fails or rests.', ['host'])
  const rpcCalls = counter('rpc_calls_total', 'Questions put to the endpoint.', ['host'])
  const rpcErrors = counter('rpc_errors_total', 'Failures of the endpoint.', ['host', 'kind'])

  const scanLag = gauge('scan_lag_seconds', 'Age of the block up to which payments are folded.')
  const scanIdle = gauge('scan_idle_seconds', 'Since that block was written.')
  const nodesWaiting = gauge('nodes_waiting_seconds', 'Since fewer than two nodes answer; 0 while they do.')
  const eventHalted = gauge('event_halted', '1 while sales wait for an administrator.')
  const unreadTwice = gauge(
    'event_unread_twice',
    '1 while blocks of the sale cannot be read a second time, or the ledger was frozen without that.',
  )
  const drawOverdue = gauge('draw_overdue_seconds', 'Since the draw date, while nothing has come of it.')
  const coverShort = gauge('cover_short', '1 while the wallets hold less than is owed, or it is unknown.')
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
    const { finalTime, isStalled, skewSeconds, endpoints, areHeadersKnown } = chain.health()
    headersUnknown.set(Number(!areHeadersKnown))
    if (skewSeconds !== null) clockSkew.set(skewSeconds)
    if (finalTime !== null) finalityLag.set(Date.now() / 1000 - finalTime)
    finalityStalled.set(Number(isStalled))
    // The endpoints keep their own counts: their current values are exported.
    for (const metric of [rpcCalls, rpcErrors]) metric.reset()
    for (const { host, state, asked, failed } of endpoints) {
      rpcUp.set({ host }, Number(state === 'ok' || state === 'unused' || state === 'aside'))
      rpcAside.set({ host }, Number(state === 'aside'))
      rpcCalls.inc({ host }, asked)
      for (const [kind, count] of Object.entries(failed)) rpcErrors.inc({ host, kind }, count)
    }
  }

  async function reportQueue(): Promise<void> {
    const [counts, memory] = await Promise.all([jobs.counts(), jobs.memory()])
    if (memory) redisUsed.set(memory.usedBytes)
    if (memory) redisLimit.set(memory.limitBytes)
    queueUp.set(Number(queueNames.every((queue) => counts[queue])))
    queueAge.reset()
    for (const queue of queueNames) {
      const age = counts[queue]?.oldestSeconds
      if (age !== undefined) queueAge.set({ queue }, age)
    }
  }

  async function reportDatabase(): Promise<void> {
    const { event, scan, anchorKey, ...figures } = await readFigures(db)
    nodesWaiting.set(figures.nodesWaitingSeconds)
    if (scan) {
      scanLag.set(scan.lagSeconds)
      scanIdle.set(scan.idleSeconds)
    }
    keyAnchors.reset()
    if (anchorKey) keyAnchors.set({ wallet: anchorKey.address }, anchorsLeft(anchorKey))
    eventHalted.set(Number(event?.isHalted ?? false))
    unreadTwice.set(Number(event?.isUnreadTwice ?? false))
    drawOverdue.set(event?.drawOverdueSeconds ?? 0)
    coverShort.set(Number(event?.hasWallet === true && !figures.isCovered))
    unsent.set(figures.unsentSeconds)
    clockOffset.set(figures.clockOffsetSeconds)
    databaseUp.set(1)
  }

  return {
    contentType: registry.contentType,
    count: (job: JobName, outcome: JobOutcome): void => jobsTotal.inc({ job, outcome }),
    countHistoryMissing: (job: JobName): void => historyMissing.inc({ job }),
    /** Everything as Prometheus reads it. Without queue or database their series keep the last values. */
    async read(): Promise<string> {
      reportChain()
      await Promise.all([inTime(reportQueue()), inTime(reportDatabase(), () => databaseUp.set(0))])
      return registry.metrics()
    },
  }
}

const deadlineMs = 3_000

/** A database that hangs must not keep the other figures from being read. */
const inTime = (telling: Promise<void>, late: () => void = () => undefined): Promise<void> =>
  withDeadline(deadlineMs, telling.catch(late), late)
