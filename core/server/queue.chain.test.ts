import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { enqueueUntilAdded, hash, openJobs, openListener } from '../../e2e/lab/queue-listener.ts'
import { type LocalRedis, redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { freePort } from '../../infra/local/ports.ts'
import { openWorker } from './queue.ts'
import { type QueueConnection, reviewRedis } from './queue-connection.ts'

const ignore = () => undefined

let database: TestDb
// The product goes on without Redis, so a machine may lack it; `.ci/run` installs it where it can.
let redis: LocalRedis
const queues = redisServer ? (['Postgres', 'Redis'] as const) : (['Postgres'] as const)

beforeAll(async () => {
  database = await testDb()
  if (redisServer) redis = await startRedis()
})
afterAll(async () => {
  await Promise.all([database.close(), redis?.stop()])
})

const places = { Redis: () => ({ redisUrl: redis.url }), Postgres: () => ({ redisUrl: undefined }) }
const placeOf = (name: keyof typeof places): QueueConnection => ({
  ...places[name](),
  databaseUrl: database.urlOf('worker'),
})

/** The address of Redis by way of a proxy, password included. */
function throughProxy(port: number): string {
  const url = new URL(redis.url)
  url.port = `${port}`
  return url.href
}

describe.each(queues)('on %s', (name) => {
  test('a worker gets added jobs, one or many at once', async () => {
    const place = placeOf(name)
    const [jobs, listener] = [openJobs(place), await openListener(place)]
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(1)] }, { jobId: 'v-1' }))
    // It may say no when the machine is busy, and goes on adding.
    await Promise.all(
      [2, 3, 4].map((n) => jobs.enqueue('verify-payment', { hashes: [hash(n)] }, { jobId: `v-${n}` })),
    )
    await listener.until(() => listener.heard.length === 4)
    expect(listener.heard.sort()).toEqual([1, 2, 3, 4].map(hash))
  })

  test('adding a waiting job again changes nothing, and a finished one can be added again', async () => {
    const place = placeOf(name)
    const jobs = openJobs(place)
    const enqueue = () => jobs.enqueue('verify-payment', { hashes: [hash(5)] }, { jobId: 'v-5' })
    await enqueueUntilAdded(enqueue)
    await enqueue()
    expect((await jobs.counts()).verify).toMatchObject({ waiting: 1, active: 0 })
    const listener = await openListener(place)
    await listener.until(() => listener.heard.length === 1)
    await until(async () => {
      await enqueue() // passed over until the first one has been put away
      return listener.heard.length >= 2
    })
  })

  test('Q3: a job that throws does not stop the worker', async () => {
    const place = placeOf(name)
    const jobs = openJobs(place)
    const done: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const worker = openWorker(
      'verify',
      place,
      async (_, payload) => {
        const [first] = (payload as { hashes: string[] }).hashes
        if (first === hash(6)) throw new Error('of no use')
        done.push(first as string)
        // On Postgres a job of the test before may still wait.
        if (first === hash(7)) resolve()
      },
      { concurrency: 1, onError: ignore },
    )
    onTestFinished(worker.close)
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(6)] }))
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(7)] }))
    await promise
    expect(done).not.toContain(hash(6))
  })
})

// The product goes on without Redis, so a machine may lack it; `.ci/run` installs it where it can.
describe.skipIf(!redisServer)('Q1: with Redis in trouble', () => {
  test('a job that cannot be added is refused and not kept', async () => {
    const jobs = openJobs({ redisUrl: `redis://127.0.0.1:${await freePort()}`, databaseUrl: database.url })
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(8)] })).toBe(false)
  })

  test('a job is also refused while the network drops everything', async () => {
    const proxy = await startTcpProxy({ port: redis.port })
    onTestFinished(proxy.close)
    const jobs = openJobs({ redisUrl: throughProxy(proxy.port), databaseUrl: database.url })
    const enqueue = (n: number) => jobs.enqueue('verify-payment', { hashes: [hash(n)] }, { jobId: `s-${n}` })
    await enqueueUntilAdded(() => enqueue(9))
    proxy.set('silent')
    expect(await enqueue(10)).toBe(false)
  })

  test('resets soon after connections are made: jobs are added in between, and the worker reconnects', async () => {
    const proxy = await startTcpProxy({ port: redis.port })
    onTestFinished(proxy.close)
    const place = { redisUrl: throughProxy(proxy.port), databaseUrl: database.url }
    await redis.flush()
    const [jobs, listener] = [openJobs(place), await openListener(place)]
    const cut = async () => {
      for (let cuts = 0, before = 0; cuts < 10; cuts++) {
        await until(() => proxy.taken() > before, 'It connects again')
        before = proxy.taken()
        proxy.cut()
      }
    }
    const cutting = cut()
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(11)] }))
    await cutting
    // Heard after the last cut: a worker whose connection is just cut would not end either.
    await until(async () => {
      await jobs.enqueue('verify-payment', { hashes: [hash(15)] })
      return listener.heard.includes(hash(15))
    })
  })

  test('a connection that is lost while it is new costs a moment, not the queue', async () => {
    const proxy = await startTcpProxy({ port: redis.port })
    onTestFinished(proxy.close)
    // The first one is that of ioredis.
    proxy.cutAfter('\r\ninfo\r\n', 2)
    const jobs = openJobs({ redisUrl: throughProxy(proxy.port), databaseUrl: database.url })
    await until(async () => Object.values(await jobs.counts()).every(Boolean), 'all queues answer')
  })

  test('FLUSHALL and a killed Redis: workers and queue continue when it is back', async () => {
    const place = placeOf('Redis')
    const [jobs, listener] = [openJobs(place), await openListener(place)]
    await redis.flush()
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(12)] }))
    await listener.until(() => listener.heard.includes(hash(12)))
    await redis.kill()
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(13)] })).toBe(false)
    await redis.restart()
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(14)] }))
    await listener.until(() => listener.heard.includes(hash(14)))
    expect(listener.heard).not.toContain(hash(13))
  })

  test('how full Redis is can be read, until it is gone', async () => {
    const jobs = openJobs({ redisUrl: redis.url, databaseUrl: database.url })
    await until(jobs.memory, 'the memory of Redis')
    const { usedBytes = 0, limitBytes } = (await jobs.memory()) ?? {}
    expect(limitBytes).toBe(200 * 1024 * 1024)
    expect(usedBytes).toBeGreaterThan(0)
    const nowhere = openJobs({ redisUrl: `redis://127.0.0.1:${await freePort()}`, databaseUrl: database.url })
    expect(await nowhere.memory()).toBeUndefined()
  })

  test('settings that lose data are named', async () => {
    expect(await reviewRedis(redis.url)).toEqual([])
    const lossy = ['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru']
    const careless = await startRedis(lossy)
    onTestFinished(careless.stop)
    expect(await reviewRedis(careless.url)).toEqual([
      'maxmemory-policy is allkeys-lru; it should be noeviction',
      'appendonly is off; it should be on',
    ])
    expect(await reviewRedis(`redis://127.0.0.1:${await freePort()}`)).toEqual([
      'its settings could not be read',
    ])
  })
})
