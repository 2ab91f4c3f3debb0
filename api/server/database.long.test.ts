import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { bumpVersion } from '../../db/event/terms.ts'
import { connect as connectDb } from '../../db/index.ts'
import { closeAll, ownPostgres, proxied, startApi, versionsOf } from '../../e2e/lab/api-process.ts'
import { until } from '../../e2e/lab/until.ts'

afterEach(closeAll)

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
