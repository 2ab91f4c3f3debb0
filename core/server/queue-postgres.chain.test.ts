import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import {
  enqueueUntilAdded,
  hash,
  openJobs,
  openListener,
  startListener,
} from '../../e2e/lab/queue-listener.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { connectJobs, type JobQueue, openWorker } from './queue.ts'
import { type Clock, pause } from './time.ts'

const ignore = () => undefined
/** A hundred times as fast. */
const sleep: Clock['sleep'] = (ms, signal) => pause(ms / 100, signal)
const pace = { sleep, connectWithinMs: 500 }

/** Connections that are not the test's own, which is a superuser. */
const ofPrograms = sql`usename <> current_user`

/** A database that takes no connection of a program until it is told to; `refuse` also ends those that it has. */
async function refusingDatabase() {
  const own = await forTest(testDb())
  const limit = (most: number) =>
    own.db.execute(sql.raw(`alter database ${new URL(own.url).pathname.slice(1)} connection limit ${most}`))
  const end = (which: SQL) =>
    own.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${which}`,
    )
  await limit(0)
  return {
    place: { redisUrl: undefined, pace, databaseUrl: own.urlOf('worker') },
    /** Whoever is here is always taken. */
    superuser: { redisUrl: undefined, databaseUrl: own.url },
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
      await end(sql`application_name = 'verify'`)
    },
    refuse: async () => {
      await limit(0)
      await end(ofPrograms)
    },
  }
}

type Listener = ReturnType<typeof startListener>

/** A job is added, and the worker hears of it. */
async function passOn(n: number, jobs: JobQueue, listener: Listener): Promise<void> {
  await enqueueUntilAdded(() => jobs.enqueue('verify-payment', { hashes: [hash(n)] }))
  await listener.until(() => listener.heard.includes(hash(n)))
}

describe('Q4: with Postgres in trouble', () => {
  test('a program that starts while it takes no connection goes on with its other work, and has its jobs soon after', async () => {
    const { place, take } = await refusingDatabase()
    const [jobs, listener] = [openJobs(place), startListener(place)]
    await listener.until(() => listener.refusals() > 1)
    expect((await jobs.counts()).verify).toBeUndefined()
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(20)] })).toBe(false)
    await take()
    await passOn(21, jobs, listener)
  })

  test('a worker that loses it asks once a second, and has its jobs soon after', async () => {
    const { place, take, refuse, isWaiting } = await refusingDatabase()
    await take()
    let pauses = 0
    const counted: typeof pace = {
      ...pace,
      sleep: (ms, signal) => {
        if (ms === 1_000) pauses += 1
        return pace.sleep(ms, signal)
      },
    }
    const listener = startListener({ ...place, pace: counted })
    const jobs = openJobs(place)
    await passOn(22, jobs, listener)
    await until(isWaiting, 'It waits for the next')
    await refuse()
    // Three of the first belong to the connections that it loses.
    await listener.until(() => listener.refusals() > 3)
    const [refusals, paused] = [listener.refusals(), pauses]
    await listener.until(() => listener.refusals() >= refusals + 10)
    // Its two workers and what they listen on.
    expect(pauses - paused).toBeGreaterThanOrEqual(5)
    await take()
    await passOn(23, jobs, listener)
  })

  test('a worker that cannot listen looks for its jobs', async () => {
    const { place, superuser, take, refuseListening } = await refusingDatabase()
    await take()
    const [jobs, listener] = [openJobs(superuser), await openListener(place)]
    await passOn(24, jobs, listener)
    await refuseListening()
    await listener.until(() => listener.refusals() > 1)
    await passOn(25, jobs, listener)
  })

  test('one that takes a connection and does not answer is asked again after a while, and keeps nobody waiting', async () => {
    const own = await forTest(testDb())
    const proxy = await forTest(startTcpProxy({ port: Number(new URL(own.url).port) }))
    const throughProxy = new URL(own.urlOf('worker'))
    throughProxy.port = `${proxy.port}`
    const place = { redisUrl: undefined, pace, databaseUrl: throughProxy.href }
    proxy.set('silent')
    const [jobs, listener] = [openJobs(place), startListener(place)]
    expect(await jobs.enqueue('verify-payment', { hashes: [hash(26)] })).toBe(false)
    expect((await jobs.counts()).verify).toBeUndefined()
    await listener.until(() => listener.refusals() > 0)
    proxy.set('none')
    await passOn(27, jobs, listener)
  })

  test.each([0, 10, 100])(
    'a worker that is closed %i turns of the event loop after it began to open leaves no connection',
    async (turns) => {
      const own = await forTest(testDb())
      const place = { redisUrl: undefined, pace, databaseUrl: own.urlOf('worker') }
      const worker = openWorker('verify', place, async () => undefined, { concurrency: 1, onError: ignore })
      for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve))
      await worker.close()
      const left = () =>
        own.db.execute(
          sql`select 1 from pg_stat_activity where datname = current_database() and ${ofPrograms}`,
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
