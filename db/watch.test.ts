import { afterEach, expect, test } from 'vitest'
import { type TestDb, testDb } from '../e2e/lab/database.ts'
import { type HandClock, handClock } from '../e2e/lab/hand-clock.ts'
import { startTcpProxy, type TcpProxy } from '../e2e/lab/tcp-proxy.ts'
import { until } from '../e2e/lab/until.ts'
import { bumpVersion } from './event/terms.ts'
import { type Beat, type Watch, watchVersion } from './watch.ts'

let database: TestDb
let watch: Watch
let proxy: TcpProxy | undefined
let clock: HandClock
afterEach(async () => {
  await watch.stop()
  await proxy?.close()
  proxy = undefined
  await database.close()
})

test('reports a commit as soon as its notification arrives', async () => {
  // The clock stands: only a notification can have reported the change.
  const beats = await begin()
  expect((await beats.next()).version).toBe(1)
  await bumpVersion(database.db)
  expect((await beats.next()).version).toBe(2)
})

test('Q2: listens again after its connection was ended, and reports missed versions', async () => {
  const beats = await begin()
  await beats.next()
  const ended = await database.db.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'blockdraw watch' and datname = current_database()`,
  )
  expect(ended).toHaveLength(1)
  await bumpVersion(database.db)
  while ((await beats.next()).version !== 2);
  await bumpVersion(database.db)
  while ((await beats.next()).version !== 3);
})

test.each(['reset', 'silent'] as const)(
  'Q4: notices that the database is gone (%s), and reconnects',
  async (fault) => {
    const beats = await begin({ proxied: true })
    await beats.next()
    proxy?.set(fault)
    await beats.lost()
    await bumpVersion(database.db)
    proxy?.set('none')
    const { version } = await beats.next()
    expect(version).toBe(2)
  },
)

test('Q4: waits for a database that is not there yet', async () => {
  const beats = await begin({ proxied: true, fault: 'reset' })
  await beats.lost()
  await beats.lost()
  proxy?.set('none')
  expect((await beats.next()).version).toBe(1)
})

async function begin({ proxied = false, fault = 'none' as 'none' | 'reset' } = {}) {
  clock = handClock()
  database = await testDb()
  const url = new URL(database.url)
  if (proxied) {
    proxy = await startTcpProxy({ port: Number(url.port) })
    proxy.set(fault)
    url.port = `${proxy.port}`
  }
  const beats: Beat[] = []
  let losses = 0
  let retried = 0
  const watcher = {
    onBeat: (beat: Beat) => beats.push(beat),
    onLost: () => {
      losses++
      beats.length = 0
    },
  }
  watch = watchVersion(url.href, watcher, clock)
  return {
    /** After a loss the time passes to the next try, in which the database may take as long as it likes. */
    async next(): Promise<Beat> {
      await until(() => {
        if (losses > retried) clock.advance(250)
        retried = losses
        return beats.length > 0
      }, 'a beat')
      return beats.shift() as Beat
    },
    /** Time passes until the database is missed; it must be away. */
    async lost(): Promise<void> {
      const before = losses
      const pass = () => clock.advance(1_500)
      await until(() => losses > before || pass(), 'a loss')
    },
  }
}
