import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { claimPayment, getClaim } from '../../db/payment/claims.ts'
import { ownerRole } from '../../db/roles/rights.ts'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { asOfDevelopment } from '../../e2e/lab/development-database.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { loginOf } from './logins.ts'
import { freePort } from './ports.ts'

const root = join(import.meta.dirname, '../..')
const entries = { api: 'api/main.ts', worker: 'worker/main.ts', migrate: 'db/migrate.ts' }
type Name = keyof typeof entries

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts one of the programs with exactly this environment. */
function launch(name: Name, env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, entries[name]], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...ownLogin(name, env) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  undo.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  let text = ''
  const waiting = new Set<() => void>()
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      for (const look of waiting) look()
    }
  }
  const done = Promise.all([read(child.stdout), read(child.stderr)])
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Exit code and all output. */
    ended: async () => {
      await done
      return { code: await child.exited, text }
    },
    isRunning: () => child.exitCode === null,
    text: () => text,
    /** Resolves when it has written this. */
    says: (what: string | RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (typeof what === 'string' ? !text.includes(what) : !what.test(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Each program logs in as itself where the environment names the owner of a database that is there. */
const ownLogin = (name: Name, env: Record<string, string>) =>
  name !== 'migrate' && env.DATABASE_URL?.includes(`//${ownerRole}:`)
    ? { ...env, DATABASE_URL: loginOf(env.DATABASE_URL, name) }
    : env

const secret = 'a secret of the tests, long enough'
const enough = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  RPC_URLS: 'http://127.0.0.1:1',
  RPC_UNSAFE: 'true',
  SECRET_KEY: secret,
}

/** What compose.yaml tells `migrate`, all of it good. */
const ownLogins = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  PGUSER: 'blockdraw_owner',
  PGPASSWORD: 'hunter2 owner',
  POSTGRES_PASSWORD: 'hunter2 superuser',
  POSTGRES_API_PASSWORD: 'hunter2 api',
  POSTGRES_WORKER_PASSWORD: 'hunter2 worker',
  POSTGRES_BACKUP_PASSWORD: 'hunter2 backup',
}

describe('V3: a broken environment stops the start, and the variable is named', () => {
  const all: Name[] = ['api', 'worker', 'migrate']
  const broken: [Name[], string, Record<string, string>][] = [
    [all, 'DATABASE_URL', { DATABASE_URL: '' }],
    [all, 'DATABASE_URL', { DATABASE_URL: 'mysql://root:hunter2@db/x' }],
    [all, 'DATABASE_URL_FILE', { DATABASE_URL: '', DATABASE_URL_FILE: '/nowhere/database_url' }],
    [['api'], 'SECRET_KEY', { SECRET_KEY: '' }],
    [['api'], 'SECRET_KEY', { SECRET_KEY: 'short' }],
    [['worker'], 'RPC_URLS', { RPC_URLS: '' }],
    [['worker'], 'RPC_URLS', { RPC_URLS: 'ftp://node.example/hunter2' }],
    [['worker'], 'RPC_URLS', { RPC_UNSAFE: '', RPC_URLS: 'https://hunter2.example.com' }],
    [['worker'], 'WORKER_QUEUES', { WORKER_QUEUES: 'verify,paint' }],
    [['worker'], 'REDIS_URL', { REDIS_URL: 'localhost:6379' }],
    [['api'], 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
    [['api'], 'ALLOWED_ORIGINS', { ALLOWED_ORIGINS: '*' }],
    [['migrate'], 'OPERATOR_WALLET', { OPERATOR_WALLET: '0x4F2a91C6e3B80dA75518fE2c07b4D9a36E1E77Bd' }],
    [['migrate'], 'ADMIN_PASSWORD', { ADMIN_PASSWORD: 'short' }],
    [['migrate'], 'TICKET_PRICE_USDT', { TICKET_PRICE_USDT: '0' }],
    [['migrate'], 'POSTGRES_OWNER_PASSWORD', { ...ownLogins, PGPASSWORD: '' }],
    [['migrate'], 'POSTGRES_OWNER_PASSWORD', { ...ownLogins, POSTGRES_PASSWORD: 'hunter2 owner' }],
    [['migrate'], 'POSTGRES_BACKUP_PASSWORD', { ...ownLogins, POSTGRES_BACKUP_PASSWORD: '' }],
    [['migrate'], 'POSTGRES_WORKER_PASSWORD', { ...ownLogins, POSTGRES_WORKER_PASSWORD: 'hunter2 api' }],
  ]
  const cases = broken.flatMap(([names, variable, change]) =>
    names.map((name) => [name, variable, change] as const),
  )
  test.each(cases)('%s without a good %s %o', async (name, variable, change) => {
    const { code, text } = await launch(name, { ...enough, ...change }).ended()
    expect(code).toBe(1)
    expect(text).toMatch(new RegExp(`^${variable} `))
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(text).not.toContain('hunter2')
  })
})

test('migrate makes the owner with the superuser once, and needs the superuser no more', async () => {
  await ownDatabase() // whose server has the logins of the programs by then
  const server = new URL(inject('postgresUrl'))
  const name = `owner_${crypto.randomUUID().slice(0, 8)}`
  const hand = postgres(server.href, { max: 1, onnotice: () => undefined })
  undo.push(async () => {
    await hand.unsafe(`drop database if exists ${name} with (force)`)
    await hand.unsafe(`drop role if exists ${name}`)
    await hand.end()
  })
  const env = {
    ...ownLogins,
    DATABASE_URL: `postgres://${server.host}/${name}`,
    PGUSER: name,
    POSTGRES_USER: server.username,
    POSTGRES_PASSWORD: server.password,
  }
  const first = await launch('migrate', env).ended()
  expect([first.code, first.text]).toEqual([0, expect.stringContaining('The owner of the tables was made.')])
  const again = await launch('migrate', { ...env, POSTGRES_PASSWORD: 'of nobody' }).ended()
  expect([again.code, again.text]).toEqual([
    0,
    expect.stringMatching(/^The password of blockdraw_api was left[\s\S]*up to date/),
  ])
  const [owner] = await hand`select pg_get_userbyid(datdba) as name, rolsuper as "isSuper"
    from pg_database join pg_roles on pg_roles.oid = datdba where datname = ${name}`
  expect(owner).toEqual({ name, isSuper: false })
})

describe('V2: a database of a newer release', () => {
  test.each<Name>(['api', 'worker', 'migrate'])('is refused by %s', async (name) => {
    const database = await ownDatabase()
    await database.db.execute(sql`update schema_major set major = 99`)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const { code, text } = await launch(name, { ...env, API_PORT: `${await freePort()}` }).ended()
    expect([code, /schema 99/.test(text)]).toEqual([1, true])
  })
})

describe('V2: a database of a development version', () => {
  test.each<Name>(['api', 'worker', 'migrate'])('is refused by %s', async (name) => {
    const database = await ownDatabase()
    await asOfDevelopment(database.db)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const { code, text } = await launch(name, { ...env, API_PORT: `${await freePort()}` }).ended()
    expect(code).toBe(1)
    expect(text.trim().split('\n').at(-1)).toContain(
      'The database comes from an earlier development version, and nothing leads from there to this release, ' +
        'neither db:migrate nor a backup: use a new, empty one.',
    )
  })
})

describe('a worker whose services come late', () => {
  test('Q4: waits for Postgres, says so, and works when it is there', async () => {
    const { world, env, database } = await ownWorld()
    const hash = await world.pay(1, 99_00, 10)
    await world.mine(3)
    const proxy = await startTcpProxy({ port: Number(new URL(database.url).port) })
    undo.push(proxy.close)
    proxy.set('reset')
    const url = new URL(database.url)
    url.port = `${proxy.port}`
    const worker = launch('worker', { ...env, DATABASE_URL: url.href })
    await worker.says('The database does not answer')
    expect(await healthOf(worker)).toBe(503)
    expect(worker.isRunning()).toBe(true)
    proxy.set('none')
    await worker.says('worker is ready')
    await until(async () => (await ticketsOf(database, hash)) === 33)
    expect(await healthOf(worker)).toBe(200)
    expect(worker.text()).not.toContain('"level":50')
  })

  test('also waits for a database that is not migrated yet', async () => {
    const database = await ownDatabase()
    await database.db.execute(sql`alter table schema_major rename to not_yet`)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const worker = launch('worker', env)
    await worker.says('has not been migrated')
    await database.db.execute(sql`alter table not_yet rename to schema_major`)
    await worker.says('worker is ready')
  })

  test('Q1: tickets are issued even without Redis at the start', async () => {
    expect(redisServer, 'redis-server must be installed for this test').toBeTruthy()
    const { world, env, database } = await ownWorld()
    const hash = await world.pay(1, 30_00, 10)
    await world.mine(3)
    const redis = await startRedis()
    undo.push(redis.stop)
    await redis.kill()
    const worker = launch('worker', { ...env, REDIS_URL: redis.url })
    await worker.says('worker is ready')
    await until(async () => (await ticketsOf(database, hash)) === 10)
    await redis.restart()
    await database.db.transaction((tx) => claimPayment(tx, claimOf(1)))
    await until(async () => ((await getClaim(database.db, claimOf(1).transactionHash))?.attempts ?? 0) > 0)
    expect(worker.isRunning()).toBe(true)
  })
})

describe('V1: shutdown of a worker', () => {
  test('SIGTERM in mid-job: it finishes the active job, takes no other, and exits with 0', async () => {
    const { world, env, database } = await ownWorld()
    const rpc = await startRpcProxy(world.url)
    undo.push(rpc.stop)
    const worker = launch('worker', { ...env, RPC_URLS: rpc.url, WORKER_QUEUES: 'verify' })
    await worker.says('worker is ready')
    rpc.set('hang')
    await claimPayment(database.db, claimOf(7))
    // The job has begun: its request times out after 5 s.
    await until(async () => (await metricsOf(worker)).includes('state="active"} 1'))
    worker.kill('SIGTERM')
    await worker.says('worker is stopping')
    const { code, text } = await worker.ended()
    expect([code, text.includes('worker has stopped')]).toEqual([0, true])
    expect(await getClaim(database.db, claimOf(7).transactionHash)).toMatchObject({ status: 'received' })
  })

  test('a second signal after more than a second ends it at once; one within a second does not', async () => {
    const { world, env, database } = await ownWorld()
    const silent = await silentServer()
    const rpc = await startRpcProxy(world.url)
    undo.push(rpc.stop)
    const worker = launch('worker', {
      ...env,
      RPC_URLS: [rpc.url, silent, silent, silent].join(','),
      WORKER_QUEUES: 'verify',
    })
    await worker.says('worker is ready')
    rpc.set('hang')
    await claimPayment(database.db, claimOf(8))
    await until(async () => (await metricsOf(worker)).includes('state="active"} 1'))
    worker.kill('SIGTERM')
    worker.kill('SIGINT')
    await worker.says('worker is stopping')
    await Bun.sleep(1_100) // signals within a second count as one
    expect(worker.isRunning()).toBe(true)
    worker.kill('SIGTERM')
    const { code, text } = await worker.ended()
    expect([code, text.includes('worker has stopped')]).toEqual([1, false])
  })
})

test('two workers and an API of one host each have a port for their metrics', async () => {
  const { env } = await ownWorld()
  const api = launch('api', { ...env, API_PORT: `${await freePort()}` })
  const workers = [launch('worker', env), launch('worker', env)]
  await Promise.all([api.says('api is ready'), ...workers.map((worker) => worker.says('worker is ready'))])
  const ports = await Promise.all(workers.map(portOf))
  const port = Number(env.METRICS_PORT)
  expect(new Set([port, ...ports]).size).toBe(3)
  for (const each of [port, ...ports])
    expect(await (await fetch(`http://127.0.0.1:${each}/metrics`)).text()).toContain('blockdraw_')
})

async function ownDatabase(): Promise<TestDb> {
  const database = await testDb()
  undo.push(database.close)
  return database
}

/** A chain with its database, and the environment of a worker on both. */
async function ownWorld(): Promise<{ world: DrawWorld; env: Record<string, string>; database: TestDb }> {
  const database = await testDb()
  const world = await openDrawWorld({ database })
  undo.push(world.close)
  const env = {
    DATABASE_URL: database.url,
    RPC_URLS: world.url,
    SECRET_KEY: secret,
    METRICS_PORT: `${await freePort()}`,
    LOG_LEVEL: 'info',
  }
  return { world, env, database }
}

const claimOf = (n: number) => ({
  transactionHash: `0x${n.toString(16).padStart(64, '0')}` as const,
  walletAddress: null,
  quantity: null,
  amount: null,
  clientAddress: null,
})

async function ticketsOf({ db }: TestDb, hash: string): Promise<number> {
  const [row] = await db.execute<{ tickets: number }>(
    sql`select ticket_count as tickets from payments where transaction_hash = ${hash}`,
  )
  return row?.tickets ?? 0
}

/** The metrics port of a worker: it takes the next free one if another program has the first. */
async function portOf(worker: ReturnType<typeof launch>): Promise<number> {
  const served = /"port":(\d+),"msg":"metrics are served/
  await worker.says(served)
  return Number(served.exec(worker.text())?.[1])
}
const told = async (worker: ReturnType<typeof launch>, path: string) =>
  fetch(`http://127.0.0.1:${await portOf(worker)}${path}`)
const healthOf = async (worker: ReturnType<typeof launch>) => (await told(worker, '/health')).status
const metricsOf = async (worker: ReturnType<typeof launch>) => (await told(worker, '/metrics')).text()

/** Accepts requests and never answers. */
async function silentServer(): Promise<string> {
  const server: Server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
