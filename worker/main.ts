import pino from 'pino'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { isTemporary, RaffleError } from '../core/errors.ts'
import { type JobName, type Jobs, type QueueName, retriesOf } from '../core/jobs.ts'
import { beaconNetworkOf } from '../core/server/beacon-network.ts'
import { EnvError, exitFor, orExit, readEnv } from '../core/server/env.ts'
import { serveMetrics } from '../core/server/metrics-server.ts'
import { stopOnSignals } from '../core/server/process.ts'
import { connectJobs, openWorker } from '../core/server/queue.ts'
import { reviewRedis } from '../core/server/queue-connection.ts'
import { secretBox } from '../core/server/secrets.ts'
import { stopwatch, withDeadline } from '../core/server/time.ts'
import { checkWitnesses, expectChain, hasOwnClock } from '../core/server/witnesses.ts'
import { isMoneyWallet } from '../db/draw/anchors.ts'
import { connect, isDatabaseOutage, readClock } from '../db/index.ts'
import { saveReport } from '../db/report/health.ts'
import { awaitSchemaOrExit } from '../db/schema-major.ts'
import { onceIn } from './chain/agree.ts'
import { connectChain } from './chain/index.ts'
import type { Deps } from './deps.ts'
import { tendAnchorKey } from './draw/anchor-key.ts'
import { draw } from './draw/draw.ts'
import { connectRelays } from './draw/relays.ts'
import { createMetrics, type JobOutcome } from './metrics.ts'
import { NotReceived, type SendDeps, sendNotification } from './notify/send.ts'
import { askLostLines } from './payment/rewind.ts'
import { paceScans, scan, scanEveryMs } from './payment/scan.ts'
import { closeSale, readSecond } from './payment/second-reading.ts'
import { ingestManual, verifyPayment } from './payment/verify.ts'
import { watchRefunds } from './refund/refunds.ts'
import { sweep } from './sweep.ts'

const sweepEveryMs = 2_000
const reportEveryMs = 5_000
const anchorEveryMs = 2_000
const unhealthyAfterMs = 30_000
const readyWithinMs = 5_000
const alarmAgainMs = 60_000
const concurrency: Record<QueueName, number> = {
  verify: 16,
  scan: 1,
  close: 1,
  manual: 4,
  draw: 1,
  refunds: 1,
  notify: 64,
}

const sinceStart = stopwatch()
const env = orExit(() => readEnv(['databaseUrl', 'rpcUrls']))
const log = pino({ level: env.logLevel, base: { part: 'worker' } })
const isUnsafe = await checkWitnesses(env).catch(exitFor)
await expectChain(env).catch(exitFor)
const network = orExit(() => beaconNetworkOf(env))
if (isUnsafe) log.error('RPC_UNSAFE: what one provider says is believed')
const place = { redisUrl: env.redisUrl, databaseUrl: env.databaseUrl }
const { db, close: closeDb } = connect(env.databaseUrl, { name: 'blockdraw worker' })
const chain = connectChain(env.rpcUrls, env.chainId, {
  ...(!hasOwnClock(env.rpcUrls) && { clock: () => readClock(db) }),
  onAlarm: (text, facts) => log.error(facts, text),
  isUnsafe,
})
const onError = (error: Error) => log.warn({ reason: error.message }, 'queue connection failed')
const jobs = connectJobs(place, onError)
const metrics = createMetrics({ db, jobs, chain })
const beacon = connectRelays({ network, urls: env.drandUrls, log })
const deps: Deps = { db, chain, log, beacon }
const { secretKey, secretKeyOld } = env
/** No secret of a channel can be read without the key: a try would only put the message off. */
const queues = env.workerQueues.filter((name) => name !== 'notify' || secretKey !== undefined)
const sending: SendDeps = {
  ...{ db, log },
  box: secretKey ? secretBox({ secretKey, secretKeyOld }) : undefined,
  siteUrl: env.publicSiteUrl,
  later: new Map(),
  reach: { isLocal: hasOwnClock(env.rpcUrls) },
}
let beatAt = Number.NEGATIVE_INFINITY
// The api of the same host has METRICS_PORT itself.
const metricsServer = serveMetrics({
  ...metrics,
  port: env.metricsPort + 1,
  ports: 10,
  hostname: env.listenHost,
  isHealthy: () => performance.now() - beatAt < unhealthyAfterMs,
  log,
})

const work: { [N in JobName]: (payload: Jobs[N]) => Promise<void> } = {
  'verify-payment': (payload) => verifyPayment(deps, payload),
  scan: async () => {
    if (await scans.paced(() => scan(deps))) await enqueueWatch()
  },
  'close-sale': () => closeSale(deps),
  'second-reading': () => readSecond(deps),
  'lost-lines': () => askLostLines(deps),
  'ingest-manual': (payload) => ingestManual(deps, payload),
  draw: (payload) => draw(deps, payload),
  'watch-refunds': async () => {
    if (await watchRefunds({ ...deps, refundMinUnits: env.refundMinUnits })) await enqueueWatch()
  },
  'send-notification': (payload) => sendNotification(sending, payload),
}

/** The queue retries a message alone: of anything else the row says when it is due, and the sweeper adds it again. */
const run = async (name: JobName, payload: unknown): Promise<void> => {
  const durationMs = stopwatch()
  let outcome: JobOutcome = 'done'
  let failure: unknown
  try {
    await work[name](payload as never)
    log.debug({ job: name, durationMs: durationMs() }, 'job done')
  } catch (err) {
    failure = err
    const isAgain = isTemporary(err) || isDatabaseOutage(err) || err instanceof NotReceived
    outcome = isAgain ? 'again' : 'failed'
    const facts = { job: name, err, durationMs: durationMs() }
    if (isHistoryMissing(err)) {
      metrics.countHistoryMissing(name)
      alarmHistory(name, facts)
    } else if (outcome === 'again') log.warn(facts, 'job will be tried again')
    else log.error(facts, 'job failed')
  }
  metrics.count(name, outcome)
  if (failure && retriesOf[name]) throw failure
}

const isHistoryMissing = (err: unknown): boolean =>
  err instanceof RaffleError && err.code === 'HISTORY_MISSING'
/** Nothing mends it but another endpoint: an alarm of each job, but not at every try. */
const alarmHistory = onceIn(
  alarmAgainMs,
  () => performance.now(),
  (job, facts) => {
    log.fatal({ job, ...facts }, 'HISTORY_MISSING: no endpoint has the old blocks that are needed')
  },
)

const scans = paceScans({ db, jobs, run: () => run('scan', {}) })
const workers: ReturnType<typeof openWorker>[] = []
const timers: Timer[] = []
stopOnSignals({
  name: 'worker',
  log,
  leave: () => {
    for (const timer of timers) clearInterval(timer)
  },
  // Running jobs are finished; the sweeper finds a job lost by a hard exit through its row.
  drain: () => Promise.allSettled(workers.map((worker) => worker.close())),
  close: () => Promise.allSettled([jobs.close(), closeDb(), metricsServer?.stop(true)]),
})

await awaitSchemaOrExit(db, log)
const signer = env.anchorKey && privateKeyToAccount(env.anchorKey)
if (signer) await refuseMoneyKey(signer).catch(exitFor)
for (const name of queues)
  workers.push(openWorker(name, place, run, { concurrency: concurrency[name], onError }))
timers.push(
  every(sweepEveryMs, () => sweep({ db, jobs, network })),
  ...(env.workerQueues.includes('scan') ? [every(scanEveryMs.busy, scans.atTick)] : []),
  every(reportEveryMs, () => saveReport(db, 'chain', deps.chain.health())),
  ...(signer && env.workerQueues.includes('draw') ? [every(anchorEveryMs, () => tend(signer))] : []),
)

// The queue may be gone: the worker scans without it, so it does not wait forever.
await withDeadline(
  readyWithinMs,
  Promise.allSettled(workers.map((worker) => worker.ready())),
  () => undefined,
)
if (env.redisUrl) for (const reason of await reviewRedis(env.redisUrl)) log.warn({ reason }, 'redis settings')
if (queues.length < env.workerQueues.length)
  log.warn('no SECRET_KEY: this worker sends no notification, and leaves the queue notify to others')
log.info({ queues, durationMs: sinceStart() }, 'worker is ready')
process.send?.({ ready: true })

/** Money has left a wallet, or more of it is to be read. Without the queue the sweep is soon enough. */
async function enqueueWatch(): Promise<void> {
  await jobs.enqueue('watch-refunds', {}, { jobId: `watch-refunds-more-${Date.now()}` })
}

/** The key of a wallet that holds money lies on no server. */
async function refuseMoneyKey({ address }: PrivateKeyAccount): Promise<void> {
  if (await isMoneyWallet(db, address.toLowerCase() as Address))
    throw new EnvError(
      'ANCHOR_KEY',
      'must not be the key of a wallet of the raffle: make one that holds gas only.',
    )
}

/** An anchor that cannot be sent now is tried again at the next turn. */
async function tend(signer: PrivateKeyAccount): Promise<void> {
  await tendAnchorKey({ ...deps, signer, chainId: env.chainId }).catch((err) => {
    if (!isTemporary(err)) throw err
    log.warn({ err }, 'the anchor key is tried again')
  })
}

function every(intervalMs: number, act: () => Promise<void>): Timer {
  let busy = false
  return setInterval(async () => {
    if (busy) return
    busy = true
    beatAt = performance.now()
    await act().catch((err) => log.warn({ err }, 'timer failed'))
    busy = false
  }, intervalMs)
}
