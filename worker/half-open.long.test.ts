import { expect, test } from 'vitest'
import { withDeadline } from '../core/server/time.ts'
import { launch, ownWorld } from '../e2e/lab/launch.ts'
import { forTest } from '../e2e/lab/opened.ts'
import { startTcpProxy } from '../e2e/lab/tcp-proxy.ts'

test('Q4: a worker whose connections hang after a failover ends, while another one works', async () => {
  const { env } = await ownWorld()
  const url = new URL(env.DATABASE_URL as string)
  const proxy = await forTest(startTcpProxy({ port: Number(url.port) }))
  url.port = `${proxy.port}`
  const start = async () => {
    const worker = launch('worker', { ...env, DATABASE_URL: url.href })
    await worker.says('worker is ready')
    return worker
  }
  const worker = await start()
  proxy.abandon()
  await start()
  const { code, text } = await withDeadline(120_000, worker.ended(), () => expect.fail('It hangs.'))
  expect([code, text.includes('"level":60')]).toEqual([1, true])
  expect(text).toContain('connections to Postgres hang: the process ends')
})
