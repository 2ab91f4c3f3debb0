import { sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { forTest } from '../../e2e/lab/opened.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { until } from '../../e2e/lab/until.ts'
import { watchHalfOpen } from './half-open.ts'

const limits = { beatEveryMs: 20, silentMs: 200 }

async function watched(options = {}) {
  const { db, ...database } = await forTest(testDb())
  const url = new URL(database.url)
  const proxy = await forTest(startTcpProxy({ port: Number(url.port) }))
  url.port = `${proxy.port}`
  const onFound = vi.fn()
  await forTest(watchHalfOpen(url.href, onFound, { ...limits, ...options }))
  /** When its oldest connection was asked last, and which one that is. */
  const asked = async () => {
    const [row] = await db.execute<{ pid: number; at: string }>(sql`
      select pid, query_start::text as at from pg_stat_activity
      where application_name = 'blockdraw half-open' and datname = current_database() and query like 'select 1%'
      order by backend_start limit 1`)
    return row
  }
  const beats = async (count: number) => {
    for (let seen = 0; seen < count; seen++) {
      const before = (await asked())?.at
      await until(async () => ((await asked())?.at ?? before) !== before, 'It is asked again')
    }
  }
  await beats(2)
  return { proxy, onFound, beats, asked }
}

describe('Q4: a connection of which nobody tells that it is gone', () => {
  test('is found where a new one is answered', async () => {
    const { proxy, onFound } = await watched()
    proxy.abandon()
    await until(() => onFound.mock.calls.length > 0, 'It is found')
  })

  test('is not what a slow Postgres has', async () => {
    const { proxy, onFound, beats } = await watched()
    // There and back it is more than the limit.
    proxy.delay(0.6 * limits.silentMs)
    await beats(3)
    expect(onFound).not.toHaveBeenCalled()
  })

  test('is not one that was ended', async () => {
    const { proxy, onFound, beats, asked } = await watched()
    const before = await asked()
    proxy.cut()
    await beats(3)
    expect((await asked())?.pid).not.toBe(before?.pid)
    expect(onFound).not.toHaveBeenCalled()
  })

  test('is not one whose path comes back, is away for longer, and comes back again', async () => {
    const { proxy, onFound, beats } = await watched({ answerWithinMs: 500 })
    const tryNewOnes = async (count: number) => {
      const before = proxy.taken()
      const isTried = () => proxy.taken() >= before + count || onFound.mock.calls.length > 0
      await until(isTried, 'New connections are tried')
      expect(onFound).not.toHaveBeenCalled()
    }
    proxy.set('away')
    await tryNewOnes(3)
    proxy.set('none')
    // With the third, the second has ended, which was answered.
    await tryNewOnes(3)
    proxy.set('away')
    await tryNewOnes(12)
    proxy.set('none')
    await tryNewOnes(3)
    proxy.deliver()
    await beats(3)
    expect(onFound).not.toHaveBeenCalled()
  })

  test('is looked for until a new one is answered', async () => {
    const { proxy, onFound } = await watched()
    proxy.set('silent')
    await until(() => proxy.taken() > 1, 'A new one was tried in vain')
    expect(onFound).not.toHaveBeenCalled()
    proxy.abandon()
    proxy.set('none')
    await until(() => onFound.mock.calls.length > 0, 'It is found')
  })
})
