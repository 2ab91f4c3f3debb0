import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { EnvError, parseEnv } from '../core/server/env.ts'
import { connectBell } from '../core/server/queue.ts'
import { readSecretFiles } from '../core/server/secret-files.ts'
import { withDeadline } from '../core/server/time.ts'
import { loadPublicFacts } from '../db/event/public.ts'
import { connect } from '../db/index.ts'
import { awaitSchema, SchemaTooNew } from '../db/schema-major.ts'
import { watchVersion } from '../db/watch.ts'
import { createApp } from './app.ts'
import { createLiveState } from './live/state.ts'
import { serveMetrics } from './server/metrics-server.ts'
import { serve } from './server/serve.ts'
import { shutdown } from './server/shutdown.ts'

const loadWithinMs = 2_000
const openWithinMs = 5_000

const env = readEnv()
const log = pino({ level: env.logLevel, base: { part: 'api' } })
const { db, open, close } = connect(env.databaseUrl, { name: 'blockdraw api' })
const bell = connectBell(env, (error) => log.warn({ error: error.message }, 'queue connection'))
const watch = watchVersion(env.databaseUrl, {
  heard: (beat) => state.heard(beat),
  lost: (error) => {
    if (!state.isStale) log.warn({ err: error }, 'the database does not answer')
    state.markStale()
  },
})
const state = createLiveState({
  load: () => loadPublicFacts(watch.db),
  salesPaused: env.salesPaused,
  isHttps: [...env.allowedOrigins, env.publicApiUrl].some((url) => url?.startsWith('https:')),
  onError: (err) => log.warn({ err }, 'the public state could not be loaded'),
})
const app = createApp({
  db,
  state,
  bell,
  log,
  addresses: { trustedProxies: env.trustedProxies, siteProxyToken: process.env.SITE_PROXY_TOKEN },
  allowedOrigins: env.allowedOrigins,
  isDevelopment: process.env.NODE_ENV !== 'production',
  admin: {
    secretKey: env.secretKey,
    databaseUrl: env.databaseUrl,
    storageUrl: env.storageUrl ?? pathToFileURL(resolve(env.dataDir, 'uploads')).href,
    publicApiUrl: env.publicApiUrl,
    terms: env,
    pinnedWallet: env.operatorWallet,
    refunds: {
      minUnits: env.refundMinUnits,
      isPaused: env.refundsPaused,
      disperseAddress: env.disperseAddress,
    },
  },
})

// Whoever is passed to us gets an answer and not a refusal; without a database they are told so after a while.
const opened = open().catch((err) =>
  log.warn({ err }, 'not every connection to the database could be opened'),
)
await withDeadline(loadWithinMs, state.whenLoaded, () => undefined)
// Where the database is there, a purchase that comes first finds its connection made.
if (!state.isStale) await withDeadline(openWithinMs, opened, () => undefined)
const server = serve(app, { port: env.apiPort, log })
const metricsServer = serveMetrics(app.metrics.registry, {
  port: env.metricsPort,
  isDevelopment: process.env.NODE_ENV !== 'production',
  log,
})
log.info({ port: env.apiPort }, 'api listens')

const stop = shutdown({
  log,
  leave: app.leave,
  server: { stop: (cut) => (cut ? server.stop(true) : shutDoor()) },
  close: () => Promise.allSettled([watch.stop(), bell.close(), close(), metricsServer?.stop(true)]),
})
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// A connection of a package that breaks at the wrong moment is no reason to leave every visitor alone.
process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'))
process.on('uncaughtException', (err) => log.error({ err }, 'uncaught exception'))

await awaitSchema(db, { waits: (why) => log.warn(why) }).catch((error) => {
  if (!(error instanceof SchemaTooNew)) throw error
  log.fatal(error.message)
  process.exit(1)
})
await state.whenLoaded
log.info({ version: state.version }, 'api is ready')
process.send?.({ ready: true })

/**
 * Ending thousands of streams takes a moment, in which callers queue before a door that is not shut yet, and who is
 * queued when it shuts is cut off. It is shut right after a turn of the loop in which nobody came.
 */
async function shutDoor(): Promise<void> {
  const quietMs = 0.15
  for (let turn = 0, tookMs = quietMs; turn < 100 && tookMs >= quietMs; turn++) {
    const began = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    // The turn that is under way is not a whole one.
    if (turn > 0) tookMs = performance.now() - began
  }
  await server.stop()
}

function readEnv() {
  try {
    const parsed = parseEnv(readSecretFiles(process.env))
    const { databaseUrl, secretKey } = parsed
    if (!databaseUrl) throw new EnvError('DATABASE_URL', 'is not set.')
    if (!secretKey) throw new EnvError('SECRET_KEY', 'is not set.')
    return { ...parsed, databaseUrl, secretKey }
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
