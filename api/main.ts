import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { EnvError, parseEnv } from '../core/env.ts'
import { connect } from '../db/index.ts'
import { loadPublicFacts } from '../db/queries/public.ts'
import { versionChannel } from '../db/queries/version.ts'
import { connectBell } from '../db/queue.ts'
import { createApp } from './app.ts'
import { createLiveState } from './live-state.ts'

const env = readEnv()
const log = pino({ level: env.logLevel, base: { part: 'api' } })
const { db, listen, close } = connect(env.databaseUrl, { name: 'blockdraw api' })
const bell = connectBell(env, (error) => log.warn({ error: error.message }, 'queue connection'))
const state = createLiveState({
  load: () => loadPublicFacts(db),
  salesPaused: env.salesPaused,
  onError: (error) => log.warn({ error }, 'the public state could not be loaded'),
})
const app = createApp({
  db,
  state,
  bell,
  log,
  addresses: { trustedProxies: env.trustedProxies, siteProxyToken: process.env.SITE_PROXY_TOKEN },
  allowedOrigins: env.allowedOrigins,
  admin: {
    secretKey: env.secretKey,
    storageUrl: env.storageUrl ?? pathToFileURL(resolve(env.dataDir, 'uploads')).href,
    publicApiUrl: env.publicApiUrl,
    terms: env,
    pinnedWallet: env.operatorWallet,
  },
})

await listen(versionChannel, () => void state.refresh())
await state.refresh()
app.listen({ port: env.apiPort, hostname: '0.0.0.0' })
log.info({ port: env.apiPort }, 'api is ready')
process.send?.({ ready: true })

process.once('SIGTERM', stop)
process.once('SIGINT', stop)

/** Streams are ended first, else they would hold the server open; what is in flight is answered. */
async function stop(): Promise<void> {
  state.stop()
  await app.stop()
  await bell.close()
  await close()
  process.exit(0)
}

function readEnv() {
  try {
    const parsed = parseEnv(process.env)
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
