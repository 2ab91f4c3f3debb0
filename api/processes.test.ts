import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { parseEnv } from '../core/env.ts'
import { connect as connectDb, type Db } from '../db/index.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { bumpVersion } from '../db/queries/version.ts'
import { testDb } from '../db/test.ts'
import { openEvent } from '../db/test-story.ts'
import { startTcpProxy, type TcpProxy } from '../e2e/faults/tcp-proxy.ts'
import { freePort } from '../infra/local/ports.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { clusterDir, postgresBinaries, postgresUser } from '../infra/local/postgres-place.ts'
import { until } from './test.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('the database goes and comes', () => {
  test('Q4: the API starts without it, says so, and is there when it is', async () => {
    const { proxy, databaseUrl } = await proxied()
    proxy.set('reset')
    const api = await startApi(databaseUrl)
    await until(() => api.answers('/api/health', 200))
    for (const path of [
      '/api/ready',
      '/api/raffle/config',
      '/api/live',
      `/api/tickets/purchase/0x${'00'.repeat(32)}`,
    ]) {
      const response = await fetch(api.url + path)
      expect([path, response.status]).toEqual([path, 503])
      expect(await response.json()).toMatchObject({ code: 'DB_UNAVAILABLE' })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    proxy.set('none')
    await until(() => api.answers('/api/ready', 200), 'ready')
    expect(api.process.exitCode).toBeNull()
  })

  test.each(['reset', 'silent'] as const)(
    'Q4: the last state is still served, marked stale (%s); a purchase is 503',
    async (fault) => {
      const { proxy, databaseUrl, db } = await proxied()
      const api = await startApi(databaseUrl)
      await api.ready
      const before = await (await fetch(`${api.url}/api/raffle/config`)).text()
      proxy.set(fault)
      await until(() => api.isStale(), 'stale')
      const config = await fetch(`${api.url}/api/raffle/config`)
      expect([config.status, await config.text()]).toEqual([200, before])
      expect(await (await fetch(`${api.url}/api/ready`)).json()).toMatchObject({
        status: 'ready',
        stale: true,
      })
      const purchase = await fetch(`${api.url}/api/tickets/purchase`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ transactionHash: `0x${'ab'.repeat(32)}` }),
      })
      expect(purchase.status).toBe(503)
      expect(await purchase.json()).toMatchObject({ code: 'DB_UNAVAILABLE' })
      await bumpVersion(db)
      proxy.set('none')
      await until(
        async () => !(await api.isStale()) && (await api.version()) >= 32,
        'the change that was missed',
      )
    },
  )

  test('Q4, I22: it crashes and starts again, thrice: streams stay, versions go on, purchases are taken again', async () => {
    const postgres = await ownPostgres()
    const api = await startApi(postgres.url)
    await api.ready
    const versions = versionsOf(api.url)
    for (let round = 1; round <= 3; round++) {
      postgres.restart()
      const { db, close } = connectDb(postgres.url, { max: 1 })
      await until(
        () =>
          bumpVersion(db).then(
            () => true,
            () => false,
          ),
        'the database',
      )
      await close()
      await until(async () => (await api.version()) >= 16 * (round + 1), 'the change after the crash')
      await until(async () => !(await api.isStale()), 'fresh')
    }
    await until(() => versions.seen.at(-1) === 64, 'the stream')
    expect(versions.seen).toEqual([...versions.seen].sort((a, b) => a - b))
    expect(versions.connections()).toBe(1)
    versions.stop()
    const purchase = await fetch(`${api.url}/api/tickets/purchase`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ transactionHash: `0x${'ab'.repeat(32)}` }),
    })
    expect(purchase.status).toBe(202)
  }, 60_000)
})

describe('two processes on one database', () => {
  test('I22: versions agree and never go back, through clock phases and a restart of one', async () => {
    const { databaseUrl, db } = await proxied()
    const [first, second] = await Promise.all([startApi(databaseUrl), startApi(databaseUrl)])
    await Promise.all([first.ready, second.ready])
    const streams = [versionsOf(first.url), versionsOf(second.url)]
    await until(() => streams.every(({ seen }) => seen.length > 0))
    await db.execute(
      sql`update events set sale_end = clock_timestamp() + interval '1 second', draw_date = clock_timestamp() + interval '2 seconds'`,
    )
    await bumpVersion(db)
    for (let count = 0; count < 10; count++) await bumpVersion(db)
    // 1 stored at first, 11 changes, then two phases without a write.
    await until(() => streams.every(({ seen }) => seen.at(-1) === 12 * 16 + 2), 'the last phase in both')
    for (const { seen } of streams) expect(seen).toEqual([...seen].sort((a, b) => a - b))
    const told = await Promise.all([first.version(), second.version()])
    expect(told).toEqual([194, 194])
    first.process.kill('SIGKILL')
    await first.process.exited
    const again = await startApi(databaseUrl)
    await again.ready
    expect(await again.version()).toBe(194)
    await bumpVersion(db)
    await until(
      async () => (await again.version()) === 210 && (await second.version()) === 210,
      'the next version',
    )
    for (const stream of streams) stream.stop()
  }, 60_000)
})

describe('V1: SIGTERM', () => {
  test('what is in flight is answered, streams are closed, a reader that never reads holds nothing up, exit 0', async () => {
    const { databaseUrl, proxy } = await proxied()
    const api = await startApi(databaseUrl)
    await api.ready
    const stream = versionsOf(api.url)
    await until(() => stream.seen.length > 0)
    const silent = connect({ port: api.port, host: '127.0.0.1' }).pause()
    silent.on('error', () => undefined)
    silent.write('GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    // Held up on its way to the database, so that it is in flight when the signal comes.
    proxy.delay(20)
    const posts = Array.from({ length: 10 }, (_, index) =>
      fetch(`${api.url}/api/tickets/purchase`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ transactionHash: `0x${`${index}0`.padStart(64, '0')}` }),
      }),
    )
    await until(async () =>
      (await fetch(api.metrics).then((r) => r.text())).includes('blockdraw_live_streams 2'),
    )
    api.process.kill('SIGTERM')
    for (const post of await Promise.all(posts)) expect(post.status).toBe(202)
    await stream.closed
    expect(await api.process.exited).toBe(0)
    expect(performance.now() - api.killedAt()).toBeLessThan(15_000)
    await expect(fetch(`${api.url}/api/health`)).rejects.toThrow()
    silent.destroy()
  }, 40_000)

  test('two signals within a second are one wish', async () => {
    const { databaseUrl } = await proxied()
    const api = await startApi(databaseUrl)
    await api.ready
    api.process.kill('SIGINT')
    api.process.kill('SIGTERM')
    expect(await api.process.exited).toBe(0)
  })

  test('a taken METRICS_PORT does not stop the API', async () => {
    const { databaseUrl } = await proxied()
    const taken = Bun.serve({ port: 0, fetch: () => new Response('mine') })
    closers.push(() => taken.stop(true))
    const api = await startApi(databaseUrl, { METRICS_PORT: `${taken.port}` })
    await api.ready
    expect(await api.answers('/api/ready', 200)).toBe(true)
  })
})

test('L3: 2,000 sockets that drip their requests hold nobody up', async () => {
  const { databaseUrl } = await proxied()
  const api = await startApi(databaseUrl)
  await api.ready
  const drips = Array.from({ length: 2_000 }, (_, index) => {
    const socket = connect({ port: api.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const head =
      'POST /api/tickets/purchase HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n'
    // Half of them drip a body, half never end their headers.
    socket.write(index % 2 ? `${head}\r\n{` : head)
    return socket
  })
  await Promise.all(
    drips.map(
      (socket) => socket.readyState === 'open' || new Promise((done) => socket.once('connect', done)),
    ),
  )
  const drip = setInterval(() => {
    for (const [index, socket] of drips.entries()) socket.write(index % 2 ? ' ' : 'x: y\r\n')
  }, 500)
  const took: number[] = []
  for (let count = 0; count < 200; count++) {
    const began = performance.now()
    expect((await fetch(`${api.url}/api/raffle/stats?${count}`)).status).toBe(200)
    took.push(performance.now() - began)
  }
  clearInterval(drip)
  for (const socket of drips) socket.destroy()
  expect(took.sort((a, b) => a - b)[198]).toBeLessThan(1_000)
}, 60_000)

/** A database of its own behind a proxy that fails as told; `db` goes straight to it. */
async function proxied(): Promise<{ proxy: TcpProxy; databaseUrl: string; db: Db }> {
  const database = await testDb()
  await openEvent(database.db)
  const url = new URL(database.url)
  const proxy = await startTcpProxy({ port: Number(url.port) })
  url.port = `${proxy.port}`
  closers.push(database.close, proxy.close)
  return { proxy, databaseUrl: url.href, db: database.db }
}

/** A Postgres of its own, to be crashed. */
async function ownPostgres() {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-crash-'))
  const user = postgresUser()
  if (user) chmodSync(dataDir, 0o755)
  const { url } = await startPostgres({ dataDir })
  const operatorWallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  await prepareDatabase({ databaseUrl: url, env: parseEnv({ ADMIN_PASSWORD: 'a password' }), operatorWallet })
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

async function startApi(databaseUrl: string, vars: Record<string, string> = {}) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const ready = Promise.withResolvers<void>()
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
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
  const began = performance.now()
  const stats = () => fetch(`${url}/api/raffle/stats`)
  return {
    process: child,
    port,
    url,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    ready: ready.promise,
    killedAt: () => began,
    answers: (path: string, status: number) =>
      fetch(url + path).then(
        (response) => response.status === status,
        () => false,
      ),
    isStale: async () => (await stats()).headers.get('x-state') === 'stale',
    version: async () => Number((await stats()).headers.get('x-state-version')),
  }
}

/** Follows the live stream as a page does: every version it was told, until `stop`. */
function versionsOf(url: string) {
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
        // The server is gone: as a page, it asks again.
      }
      await Bun.sleep(50)
    }
  })()
  closers.push(() => abort.abort())
  return { seen, closed: closed.promise, connections: () => connections, stop: () => abort.abort() }
}
