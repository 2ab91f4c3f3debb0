import { afterEach, expect, test } from 'vitest'
import { type TestDb, testDb } from '../e2e/lab/database.ts'
import { startTcpProxy, type TcpProxy } from '../e2e/lab/tcp-proxy.ts'
import { bumpVersion } from './event/version.ts'
import { type Beat, type Watch, watchVersion } from './watch.ts'

let database: TestDb
let watch: Watch
let proxy: TcpProxy | undefined
afterEach(async () => {
  await watch.stop()
  await proxy?.close()
  proxy = undefined
  await database.close()
})

/** Time between polls so long that only a notification can have reported the change. */
const beatEveryMs = 3_600_000

test('reports a commit as soon as its notification arrives', async () => {
  const beats = await begin({ beatEveryMs })
  expect((await beats.next()).version).toBe(1)
  await bumpVersion(database.db)
  expect((await beats.next()).version).toBe(2)
})

test('Q2: listens again after its connection was ended, and reports missed versions', async () => {
  const beats = await begin({ beatEveryMs })
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

async function begin({ proxied = false, fault = 'none' as 'none' | 'reset', beatEveryMs = 1_000 } = {}) {
  database = await testDb()
  const url = new URL(database.url)
  if (proxied) {
    proxy = await startTcpProxy({ port: Number(url.port) })
    proxy.set(fault)
    url.port = `${proxy.port}`
  }
  const beats: Beat[] = []
  let losses = 0
  let news = Promise.withResolvers<void>()
  const wake = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  const watcher = {
    onBeat: (beat: Beat) => {
      beats.push(beat)
      wake()
    },
    onLost: () => {
      losses++
      beats.length = 0
      wake()
    },
  }
  watch = watchVersion(url.href, watcher, { beatEveryMs })
  return {
    async next(): Promise<Beat> {
      while (beats.length === 0) await news.promise
      return beats.shift() as Beat
    },
    async lost(): Promise<void> {
      const before = losses
      while (losses === before) await news.promise
    },
  }
}
