import { sql } from 'drizzle-orm'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestDb, testDb } from '../../e2e/lab/database.ts'
import { type LocalRedis, redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { freePort } from '../../infra/local/ports.ts'
import { connectJobs, openWorker, type QueueConnection, reviewRedis } from './queue.ts'
import { withDeadline } from './time.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const ignore = () => undefined

let database: TestDb
let redis: LocalRedis
let cleanUps: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  expect(redisServer, 'redis-server must be installed for these tests').toBeTruthy()
  ;[database, redis] = await Promise.all([testDb(), startRedis()])
})
afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
  cleanUps = []
})
afterAll(async () => {
  await Promise.all([database.close(), redis.stop()])
})

const places = { Redis: () => ({ redisUrl: redis.url }), Postgres: () => ({ redisUrl: undefined }) }
const placeOf = (name: keyof typeof places): QueueConnection => ({
  ...places[name](),
  databaseUrl: database.urlOf('worker'),
})

function openJobs(place: QueueConnection) {
  const jobs = connectJobs(place, ignore)
  cleanUps.push(jobs.close)
  return jobs
}

/** An address, of Redis if no other is told, by way of a proxy, password included. */
function throughProxy(port: number, address = redis.url): string {
  const url = new URL(address)
  url.port = `${port}`
  return url.href
}

/** A worker that records the hashes of its jobs, and how often it was refused. */
function startListener(place: QueueConnection) {
  const heard: string[] = []
  let refusals = 0
  let wake = () => {}
  const worker = openWorker(
    'verify',
    place,
    async (_, payload) => {
      heard.push(...(payload as { hashes: string[] }).hashes)
      wake()
    },
    {
      concurrency: 2,
      onError: () => {
        refusals += 1
      },
    },
  )
  cleanUps.push(worker.close)
  return {
    heard,
    refusals: () => refusals,
    ready: worker.ready,
    until: async (test: () => boolean) => {
      while (!test()) await new Promise<void>((resolve) => (wake = resolve))
    },
    close: worker.close,
  }
}

async function openListener(place: QueueConnection) {
  const listener = startListener(place)
  await listener.ready()
  return listener
}

/** A database that takes no connection of a program until it is told to; `refuse` also ends those that it has. */
async function refusingDatabase() {
  const own = await testDb()
  cleanUps.push(own.close)
  const limit = (most: number) =>
    own.db.execute(sql.raw(`alter database ${new URL(own.url).pathname.slice(1)} connection limit ${most}`))
  await limit(0)
  return {
    place: { redisUrl: undefined, databaseUrl: own.urlOf('worker') },
    /** Whoever is here is always taken. */
    superuser: { redisUrl: undefined, databaseUrl: own.superuserUrl },
    take: () => limit(-1),
    /** A worker has no job and waits for one. */
    isWaiting: async () => {
      const waiting = await own.db.execute(
        sql`select 1 from pg_stat_activity
          where datname = current_database() and application_name = 'verify' and query ilike '%listen %'`,
      )
      return waiting.length > 0
    },
    /** Ends what its workers listen on, and takes no other; their other connections stay. */
    refuseListening: async () => {
      await limit(1)
      await own.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'verify'`,
      )
    },
    refuse: async () => {
      await limit(0)
      await own.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and usename <> current_user`,
      )
    },
  }
}

/** Tries until the job is added: the queue may still be connecting. */
async function enqueueUntilAdded(ring: () => Promise<boolean>): Promise<void> {
  await until(ring, 'a ring')
}

describe.each(Object.keys(places) as (keyof typeof places)[])('on %s', (name) => {
  test('a worker gets added jobs, one or many at once', async () => {
    const place = placeOf(name)
    const [jobs, listener] = [openJobs(place), await openListener(place)]
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(1)] }, { jobId: 'v-1' }))
    const three = [2, 3, 4].map((n) => ({ payload: { hashes: [hash(n)] }, jobId: `v-${n}` }))
    // It may say no when the machine is busy, and goes on adding.
    await jobs.enqueueMany('verify-payment', three)
    await listener.until(() => listener.heard.length === 4)
    expect(listener.heard.sort()).toEqual([1, 2, 3, 4].map(hash))
  })

  test('adding a waiting job again changes nothing, and a finished one can be added again', async () => {
    const place = placeOf(name)
    const jobs = openJobs(place)
    const ring = () => jobs.enqueue('verify-payment', { hashes: [hash(5)] }, { jobId: 'v-5' })
    await enqueueUntilAdded(ring)
    await ring()
    expect((await jobs.counts()).verify).toMatchObject({ waiting: 1, active: 0 })
    const listener = await openListener(place)
    await listener.until(() => listener.heard.length === 1)
    await until(async () => {
      await ring() // passed over until the first one has been put away
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
    cleanUps.push(worker.close)
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(6)] }))
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(7)] }))
    await promise
    expect(done).not.toContain(hash(6))
  })
})

describe('Q1: with Redis in trouble', () => {
  test('a job that cannot be added is refused and not kept', async () => {
    const jobs = openJobs({ redisUrl: `redis://127.0.0.1:${await freePort()}`, databaseUrl: database.url })
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(8)] })).toBe(false)
  })

  test('a job is also refused while the network drops everything', async () => {
    const proxy = await startTcpProxy({ port: redis.port })
    cleanUps.push(proxy.close)
    const jobs = openJobs({ redisUrl: throughProxy(proxy.port), databaseUrl: database.url })
    const ring = (n: number) => jobs.enqueue('verify-payment', { hashes: [hash(n)] }, { jobId: `s-${n}` })
    await enqueueUntilAdded(() => ring(9))
    proxy.set('silent')
    expect(await ring(10)).toBe(false)
  })

  test('resets every 100 ms: jobs are added in between, and the worker reconnects', async () => {
    const proxy = await startTcpProxy({ port: redis.port })
    cleanUps.push(proxy.close)
    const place = { redisUrl: throughProxy(proxy.port), databaseUrl: database.url }
    await redis.flush()
    const [jobs, listener] = [openJobs(place), await openListener(place)]
    let cuts = 10
    const cutting = setInterval(() => (cuts-- > 0 ? proxy.cut() : clearInterval(cutting)), 100)
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(11)] }))
    await until(async () => {
      await jobs.enqueue('verify-payment', { hashes: [hash(11)] })
      return listener.heard.includes(hash(11))
    })
    clearInterval(cutting)
    expect(listener.heard).toContain(hash(11))
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

  test('the password of Redis is asked for and is in no list of processes', async () => {
    const { port, password } = new URL(redis.url)
    const stranger = new Redis(Number(port), { lazyConnect: true, retryStrategy: () => null })
    stranger.on('error', () => undefined)
    await expect(stranger.ping()).rejects.toThrow('NOAUTH')
    stranger.disconnect()
    const { stdout } = Bun.spawnSync(['ps', '-eo', 'args'])
    expect(stdout.toString()).toContain(`redis-server 127.0.0.1:${port}`)
    expect(stdout.toString()).not.toContain(decodeURIComponent(password))
  })

  test('settings that lose data are named', async () => {
    expect(await reviewRedis(redis.url)).toEqual([])
    const lossy = ['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru', '--requirepass', '']
    const careless = await startRedis(lossy)
    cleanUps.push(careless.stop)
    expect(await reviewRedis(careless.url)).toEqual([
      'maxmemory-policy is allkeys-lru; it should be noeviction',
      'appendonly is off; it should be on',
    ])
    expect(await reviewRedis(`redis://127.0.0.1:${await freePort()}`)).toEqual([
      'its settings could not be read',
    ])
  })
})

describe('Q4: with Postgres in trouble', () => {
  test('a program that starts while it takes no connection goes on with its other work, and has its jobs soon after', async () => {
    const { place, take } = await refusingDatabase()
    const [jobs, listener] = [openJobs(place), startListener(place)]
    await until(() => listener.refusals() > 1, 'It is refused and asks again')
    const isUnknown = async () => (await jobs.counts()).verify === undefined
    await until(() => withDeadline(1_000, isUnknown(), () => false), 'The queue is known to be refused')
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(20)] })).toBe(false)
    await take()
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(21)] }))
    await until(() => listener.heard.includes(hash(21)), 'The job is heard')
  })

  test('a worker that loses it asks once a second, and has its jobs soon after', async () => {
    const { place, take, refuse, isWaiting } = await refusingDatabase()
    await take()
    const [jobs, listener] = [openJobs(place), startListener(place)]
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(22)] }))
    await until(() => listener.heard.includes(hash(22)), 'The job is heard')
    await until(isWaiting, 'It waits for the next')
    await refuse()
    // Three of the first belong to the connections that it loses.
    await until(() => listener.refusals() > 3, 'It is refused')
    const before = listener.refusals()
    const tookMs = await until(() => listener.refusals() >= before + 6, 'It asks again')
    expect(tookMs).toBeGreaterThan(2_500)
    await take()
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(23)] }))
    await until(() => listener.heard.includes(hash(23)), 'The job is heard')
  })

  test('a worker that cannot listen looks for its jobs', async () => {
    const { place, superuser, take, refuseListening } = await refusingDatabase()
    await take()
    const [jobs, listener] = [openJobs(superuser), await openListener(place)]
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(24)] }))
    await until(() => listener.heard.includes(hash(24)), 'The job is heard')
    await refuseListening()
    await until(() => listener.refusals() > 1, 'It is refused')
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(25)] }))
    await until(() => listener.heard.includes(hash(25)), 'The job is heard')
  })

  test('one that takes a connection and does not answer is asked again after a while, and keeps nobody waiting', async () => {
    const proxy = await startTcpProxy({ port: Number(new URL(database.url).port) })
    cleanUps.push(proxy.close)
    const databaseUrl = throughProxy(proxy.port, database.urlOf('worker'))
    const place = { redisUrl: undefined, databaseUrl }
    proxy.set('silent')
    const [jobs, listener] = [openJobs(place), startListener(place)]
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(26)] })).toBe(false)
    expect((await jobs.counts()).verify).toBeUndefined()
    await until(() => listener.refusals() > 0, 'It is given up')
    proxy.set('none')
    await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(27)] }))
    await until(() => listener.heard.includes(hash(27)), 'The job is heard')
  })

  test.each([0, 2, 4])(
    'a worker that is closed %i ms after it began to open leaves no connection',
    async (ms) => {
      const own = await testDb()
      cleanUps.push(own.close)
      const place = { redisUrl: undefined, databaseUrl: own.urlOf('worker') }
      const worker = openWorker('verify', place, async () => undefined, { concurrency: 1, onError: ignore })
      await Bun.sleep(ms)
      await worker.close()
      const left = () =>
        own.db.execute(
          sql`select 1 from pg_stat_activity where datname = current_database() and usename <> current_user`,
        )
      await until(async () => (await left()).length === 0, 'No connection is left')
    },
  )

  test('what Postgres has never taken closes', async () => {
    const { place } = await refusingDatabase()
    const jobs = connectJobs(place, ignore)
    const worker = openWorker('verify', place, async () => undefined, { concurrency: 1, onError: ignore })
    await Promise.all([jobs.close(), worker.close()])
    await expect(worker.ready()).rejects.toThrow('closed')
  })
})

test.each(['Postgres', 'Redis'] as const)(
  'a long batch of refunds on %s stops neither the watch nor what is told of held and owed money, nor these the batch',
  async (name) => {
    const place = placeOf(name)
    const jobs = openJobs(place)
    const running = new Map<string, () => void>()
    for (const queue of ['refunds', 'watch', 'reckon'] as const) {
      const act = (job: string) => new Promise<void>((finish) => void running.set(job, finish))
      const worker = openWorker(queue, place, act, { concurrency: 1, onError: ignore })
      cleanUps.push(worker.close)
      await worker.ready()
    }
    cleanUps.push(async () => {
      for (const finish of running.values()) finish()
    })
    for (const job of ['prepare-refunds', 'watch-refunds', 'reckon'] as const)
      await jobs.enqueue(job, {}, { jobId: `${job}-beside` })
    await until(async () => running.size === 3, 'All three run at once')
  },
)
