import { sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { claimPayment, getClaim } from '../../db/payment/claims.ts'
import type { TestDb } from '../../e2e/lab/database.ts'
import { enough, launch, ownDatabase, ownWorld } from '../../e2e/lab/launch.ts'
import { redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { freePort } from './ports.ts'

describe('a worker whose services come late', () => {
  test('Q4: waits for Postgres, says so, and works when it is there', async () => {
    const { world, env, database } = await ownWorld()
    const hash = await world.pay(1, 99_00, 10)
    await world.mine(3)
    const proxy = await startTcpProxy({ port: Number(new URL(database.url).port) })
    onTestFinished(proxy.close)
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
    await database.db.execute(sql`alter table drizzle.__drizzle_migrations rename to not_yet`)
    const env = { ...enough, DATABASE_URL: database.url, METRICS_PORT: `${await freePort()}` }
    const worker = launch('worker', env)
    await worker.says('has not been migrated')
    await database.db.execute(sql`alter table drizzle.not_yet rename to __drizzle_migrations`)
    await worker.says('worker is ready')
  })

  test('Q1: tickets are issued even without Redis at the start', async () => {
    expect(redisServer, 'redis-server must be installed for this test').toBeTruthy()
    const { world, env, database } = await ownWorld()
    const hash = await world.pay(1, 30_00, 10)
    await world.mine(3)
    const redis = await startRedis()
    onTestFinished(redis.stop)
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
    onTestFinished(rpc.stop)
    const worker = launch('worker', { ...env, RPC_URLS: rpc.url, WORKER_QUEUES: 'verify' })
    await worker.says('worker is ready')
    rpc.set('hang')
    await claimPayment(database.db, claimOf(7))
    // The job has begun: its request times out after 5 s.
    await until(() => rpc.hung() > 0)
    worker.kill('SIGTERM')
    await worker.says('worker is stopping')
    const { code, text } = await worker.ended()
    expect([code, text.includes('worker has stopped')]).toEqual([0, true])
    expect(await getClaim(database.db, claimOf(7).transactionHash)).toMatchObject({ status: 'received' })
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
