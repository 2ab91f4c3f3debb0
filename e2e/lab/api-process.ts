import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from '../../core/server/env.ts'
import type { Db } from '../../db/index.ts'
import { loginOf } from '../../db/logins.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { freePort } from '../../infra/local/ports.ts'
import { clusterDir, postgresBinaries, postgresUser, startPostgres } from '../../infra/local/postgres.ts'
import { builtProgram } from './built-programs.ts'
import { testDb } from './database.ts'
import { openEvent } from './ledger-story.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const closers: (() => unknown)[] = []

/** Closes what a test opened, in reverse order. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** A database of its own behind a proxy that fails as set; `db` goes straight to it. */
export async function proxied(): Promise<{ proxy: TcpProxy; databaseUrl: string; db: Db }> {
  const database = await testDb()
  await openEvent(database.db)
  const url = new URL(database.url)
  const proxy = await startTcpProxy({ port: Number(url.port) })
  url.port = `${proxy.port}`
  closers.push(database.close, proxy.close)
  return { proxy, databaseUrl: url.href, db: database.db }
}

/** A Postgres of its own, to be crashed. */
export async function ownPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-crash-'))
  const user = postgresUser(dataDir)
  if (user) chmodSync(dataDir, 0o755)
  const { url } = await startPostgres({ dataDir })
  const operatorWallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  await prepareDatabase({
    ...{ databaseUrl: url, operatorWallet },
    env: parseEnv({ ADMIN_PASSWORD: 'a password' }),
  })
  const control = [
    join(postgresBinaries(user), 'bin', 'pg_ctl'),
    '-D',
    clusterDir(dataDir, user),
    '-m',
    'immediate',
  ]
  const run = (...command: string[]) =>
    Bun.spawnSync([...control, ...command], { cwd: '/', stdout: 'ignore', stderr: 'ignore', ...user })
  closers.push(() => {
    run('stop')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { url, restart: () => run('-w', '-l', '/dev/null', 'restart') }
}

/** On a database of which this is the owner's URL; it logs in as itself. */
export async function startApi(databaseUrl: string, vars: Record<string, string> = {}) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const ready = Promise.withResolvers<void>()
  const child = Bun.spawn([process.execPath, await builtProgram('api')], {
    env: {
      ...process.env,
      DATABASE_URL: loginOf(databaseUrl, 'api'),
      API_PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      SECRET_KEY: 'a test secret that is long enough',
      ...vars,
    },
    stdout: 'ignore',
    stderr: 'inherit',
    ipc: () => ready.resolve(),
  })
  closers.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  const url = `http://127.0.0.1:${port}`
  const stats = () => fetch(`${url}/api/raffle/stats`)
  return {
    process: child,
    port,
    url,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    ready: ready.promise,
    /** What a buyer's browser posts. */
    purchase: (transactionHash: string) =>
      fetch(`${url}/api/tickets/purchase`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ transactionHash }),
      }),
    answers: (path: string, status: number) =>
      fetch(url + path).then(
        (response) => response.status === status,
        () => false,
      ),
    isStale: async () => (await stats()).headers.get('x-state') === 'stale',
    version: async () => Number((await stats()).headers.get('x-state-version')),
  }
}

/** Follows the live stream as a page does: every version it received, until `stop`. */
export function versionsOf(url: string) {
  const seen: number[] = []
  const abort = new AbortController()
  const closed = Promise.withResolvers<void>()
  let connections = 0
  void (async () => {
    while (!abort.signal.aborted) {
      try {
        const response = await fetch(`${url}/api/live`, { signal: abort.signal })
        connections++
        const decoder = new TextDecoder()
        for await (const bytes of response.body as ReadableStream<Uint8Array>) {
          const text = decoder.decode(bytes)
          for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) seen.push(Number(id))
          if (text.includes('event: close')) closed.resolve()
        }
      } catch {
        // The server is gone: it reconnects, as a page does.
      }
      await Bun.sleep(50)
    }
  })()
  closers.push(() => abort.abort())
  return { seen, closed: closed.promise, connections: () => connections, stop: () => abort.abort() }
}
