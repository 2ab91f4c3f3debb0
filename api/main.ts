import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { beaconNetworkOf } from '../core/server/beacon-network.ts'
import { orExit, readEnv } from '../core/server/env.ts'
import { serveMetrics } from '../core/server/metrics-server.ts'
import { stopOnSignals } from '../core/server/process.ts'
import { connectJobs } from '../core/server/queue.ts'
import { producerRedis } from '../core/server/queue-connection.ts'
import { stopwatch, withDeadline } from '../core/server/time.ts'
import { connect } from '../db/index.ts'
import { loadPublicFacts } from '../db/report/public.ts'
import { awaitSchemaOrExit } from '../db/schema-major.ts'
import { watchVersion } from '../db/watch.ts'
import { createApp } from './app.ts'
import { createLimits } from './http/limits.ts'
import { createLiveState } from './live/state.ts'
import { serve } from './server/serve.ts'

// While a new api loads, the others answer: nothing is passed to one that does not listen.
const loadWithinMs = 8_000
const openWithinMs = 5_000
const shrinkMs = 100
// The door asks every second whether this api is ready, and sends it nobody once it is not (infra/haproxy).
const toldWithinMs = 2_000

const durationMs = stopwatch()
const env = orExit(() => readEnv(['databaseUrl', 'secretKey']))
const beacon = orExit(() => beaconNetworkOf(env))
const isDevelopment = process.env.NODE_ENV !== 'production'
const log = pino({ level: env.logLevel, base: { part: 'api' } })
const { db, open, close } = connect(env.databaseUrl, { name: 'blockdraw api' })
const jobs = connectJobs(env, (error) => log.warn({ reason: error.message }, 'queue connection failed'))
const limitsRedis =
  env.redisUrl === undefined
    ? undefined
    : producerRedis(env.redisUrl, (error) => log.debug({ reason: error.message }, 'limits count alone'))
const watch = watchVersion(env.databaseUrl, {
  onBeat: (beat) => state.noteBeat(beat),
  onLost: (err) => {
    if (!state.isStale) log.warn({ err }, 'database does not answer')
    state.markStale()
  },
})
const state = createLiveState({
  load: () => loadPublicFacts(watch.db, beacon),
  salesPaused: env.salesPaused,
  formHosts: env.formHosts,
  isHttps: [...env.allowedOrigins, env.publicApiUrl].some((url) => url?.startsWith('https:')),
  onError: (err) => log.warn({ err }, 'public state not loaded'),
})
const app = createApp({
  db,
  state,
  jobs,
  log,
  addresses: { ...env, siteProxyToken: process.env.SITE_PROXY_TOKEN },
  limits: createLimits(limitsRedis),
  allowedOrigins: env.allowedOrigins,
  beacon,
  isDevelopment,
  // A start on this machine keeps the pages elsewhere than an image does.
  siteDir: process.env.SITE_DIR || undefined,
  admin: {
    ...env,
    storageUrl: env.storageUrl ?? pathToFileURL(resolve(env.dataDir, 'uploads')).href,
    terms: env,
    pinnedWallet: env.operatorWallet,
    refunds: { minUnits: env.refundMinUnits, isPaused: env.refundsPaused },
  },
})

// Calls that a proxy passes to us early are answered; without a database they get an error after a while.
const connected = open().catch((err) => log.warn({ err }, 'database connections not opened'))
await withDeadline(loadWithinMs, state.whenLoaded, () => undefined)
// If the database answers, the first purchase finds an open connection.
if (!state.isStale) await withDeadline(openWithinMs, connected, () => undefined)
// Code that ran once, to start, and what it left: some 13 MiB. Before anybody connects, as all stands still for it.
Bun.gc(true)
Bun.shrink()
await Bun.sleep(shrinkMs)
const server = serve(app, { port: env.apiPort, hostname: env.listenHost, log })
const metricsServer = serveMetrics({
  port: env.metricsPort,
  hostname: env.listenHost,
  read: () => app.metrics.registry.metrics(),
  contentType: app.metrics.registry.contentType,
  log,
})
log.info({ port: env.apiPort }, 'api listens')

stopOnSignals({
  name: 'api',
  log,
  leave: app.leave,
  drain: async () => {
    if (!isDevelopment) await Bun.sleep(toldWithinMs)
    await stopAccepting()
  },
  cut: () => server.stop(true),
  close: () => {
    limitsRedis?.disconnect()
    return Promise.allSettled([watch.stop(), jobs.close(), close(), metricsServer?.stop(true)])
  },
})

await awaitSchemaOrExit(db, log)
await state.whenLoaded
log.info({ version: state.version, durationMs: durationMs() }, 'api is ready')
process.send?.({ ready: true })

/** Connections that are queued when the socket closes are cut off: so it closes right after a turn of the
 * event loop in which none arrived. */
async function stopAccepting(): Promise<void> {
  const quietMs = 0.15
  for (let turn = 0, tookMs = quietMs; turn < 100 && tookMs >= quietMs; turn++) {
    const began = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    // The current turn is only part of one.
    if (turn > 0) tookMs = performance.now() - began
  }
  await server.stop()
}
