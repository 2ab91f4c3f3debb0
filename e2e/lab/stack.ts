import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from '../../core/server/env.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { connect } from '../../db/index.ts'
import { loginOf } from '../../db/logins.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { newestBlockTime, startBeacon } from '../../infra/local/beacon.ts'
import { operatorAccount, startChain } from '../../infra/local/chain.ts'
import type { Child } from '../../infra/local/child.ts'
import { freePort } from '../../infra/local/ports.ts'
import { serveSite } from '../../infra/local/site-server.ts'
import { builtPages } from './built-pages.ts'
import type { Program } from './built-programs.ts'
import { waitBlockTime } from './chain-verbs.ts'
import { startProcess } from './process.ts'
import { testSecret } from './test-beacon.ts'

export type Stack = Awaited<ReturnType<typeof startStack>>

type Options = {
  /** An empty database as its owner, on a server of its own; an own one on the Postgres of the test run when left out. */
  database?: { url: string; close: () => Promise<void> }
  /** More variables for API and worker. */
  env?: Record<string, string>
  /** Endpoints for the worker by the chain's own URL, which it is when left out. */
  rpcUrls?: (chainUrl: string) => string
  /** Pages and servers of a local chain, with a beacon of its own. */
  demoWallet?: boolean
  /** Pages of a build with a project of Reown. */
  otherWallets?: boolean
}

/** The whole product with nothing replaced: Postgres, chain, API, worker, built pages and their server. */
export async function startStack(options: Options = {}) {
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await bringUp(options, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function bringUp(
  { database, env = {}, rpcUrls = (url) => url, demoWallet = false, otherWallets = false }: Options,
  undo: (() => unknown)[],
) {
  const building = builtPages({ demoWallet, otherWallets })
  building.catch(() => undefined) // awaited below, unless something else fails first
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-e2e-'))
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const store = database ?? (await ownDatabase())
  undo.push(store.close)
  const chain = await startChain()
  undo.push(chain.stop)

  const beacon = demoWallet && startBeacon({ secret: testSecret, now: () => newestBlockTime(chain.url) })
  if (beacon) undo.push(beacon.stop)
  const token = randomBytes(16).toString('hex')
  const [apiPort, apiMetrics, workerMetrics] = await Promise.all([freePort(), freePort(), freePort()])
  const vars = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    RPC_URLS: rpcUrls(chain.url),
    API_PORT: `${apiPort}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    SITE_PROXY_TOKEN: token,
    SITE_DIR: await building,
    ...(beacon && { LOCAL_BEACON_KEY: beacon.network.publicKey, DRAND_URLS: beacon.url }),
    ...env,
  }
  await prepareDatabase({ databaseUrl: store.url, env: parseEnv(vars), operatorWallet: operatorAccount })
  const lines: string[] = []
  const run = (role: 'api' | 'worker', metricsPort: number) =>
    part(role, { ...vars, DATABASE_URL: loginOf(store.url, role), METRICS_PORT: `${metricsPort}` }, (line) =>
      lines.push(line),
    )
  const api = run('api', apiMetrics)
  const worker = run('worker', workerMetrics)
  undo.push(() => Promise.all([api.stop(), worker.stop()]))
  await Promise.all([api.start(), worker.start()])

  const apiUrl = `http://127.0.0.1:${apiPort}`
  const beaconUrl = beacon ? beacon.url : undefined
  const site = serveSite({ dir: vars.SITE_DIR, port: 0, apiUrl, token, beaconUrl })
  undo.push(() => site.stop(true))
  const { db, close } = connect(store.url, { max: 2, name: 'blockdraw e2e' })
  undo.push(close)
  // What is paid in the second before the sale's start is early, and buys nothing.
  const event = await getOpenEvent(db)
  if (event && event.saleStart.getTime() < Date.now() + 10_000)
    await waitBlockTime(chain.url, event.saleStart.getTime())
  return {
    /** The site, with the API behind the same origin. */
    url: `http://127.0.0.1:${site.port}`,
    /** The API itself, as only a proxy of ours reaches it. */
    apiUrl,
    ...{ chain, db, api, worker, databaseUrl: store.url },
    /** Lines that API and worker logged as errors. */
    errors: () => lines.filter((line) => /"level":[56]0/.test(line) || !line.startsWith('{')),
  }
}

/** Loaded only here: it works inside a test run alone. */
async function ownDatabase(): Promise<NonNullable<Options['database']>> {
  const { testDb } = await import('./database.ts')
  return testDb()
}

/** One of our processes, to be stopped and started again at will. */
function part(program: Program, env: Record<string, string | undefined>, onLine: (line: string) => void) {
  let started: Promise<Child> | undefined
  const end = (how: 'stop' | 'kill') => async () => {
    const child = await started?.catch(() => undefined)
    started = undefined
    await child?.[how]()
    await child?.exited
  }
  return {
    start: async () => {
      started = startProcess(program, { env, onLine })
      await started
    },
    /** Asks it to end, as a deployment does. */
    stop: end('stop'),
    /** Gone at once, as when memory runs out. */
    kill: end('kill'),
  }
}
