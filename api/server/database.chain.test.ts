import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { bumpVersion } from '../../db/event/version.ts'
import { connect as connectDb } from '../../db/index.ts'
import { claims } from '../../db/schema/index.ts'
import { closeAll, ownPostgres, proxied, startApi, versionsOf } from '../../e2e/lab/api-process.ts'
import { until } from '../../e2e/lab/until.ts'

afterEach(closeAll)

describe('the database fails and recovers', () => {
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
      const purchase = await api.purchase(`0x${'ab'.repeat(32)}`)
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

  test('Q5: a commit whose answer was lost is 503; the same call again answers what was recorded', async () => {
    const { proxy, databaseUrl, db } = await proxied()
    const api = await startApi(databaseUrl)
    await api.ready
    const post = () => api.purchase(`0x${'cd'.repeat(32)}`)
    // The call that records it is the one statement that names the hash.
    proxy.cutAfter('cd'.repeat(32))
    expect((await post()).status).toBe(503)
    const [recorded] = await db.select().from(claims)
    expect(recorded?.transactionHash).toBe(`0x${'cd'.repeat(32)}`)
    const again = await post()
    expect([again.status, await db.select().from(claims)]).toEqual([200, [recorded]])
  })

  test('Q4, I22: it crashes and restarts three times: streams stay, versions continue, purchases are accepted again', async () => {
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
    const purchase = await api.purchase(`0x${'ab'.repeat(32)}`)
    expect(purchase.status).toBe(202)
  })
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
    await until(() => streams.every(({ seen }) => seen.at(-1) === 12 * 16 + 3), 'the last phase in both')
    for (const { seen } of streams) expect(seen).toEqual([...seen].sort((a, b) => a - b))
    const told = await Promise.all([first.version(), second.version()])
    expect(told).toEqual([195, 195])
    first.process.kill('SIGKILL')
    await first.process.exited
    const again = await startApi(databaseUrl)
    await again.ready
    expect(await again.version()).toBe(195)
    await bumpVersion(db)
    await until(
      async () => (await again.version()) === 211 && (await second.version()) === 211,
      'the next version',
    )
    for (const stream of streams) stream.stop()
  })
})
