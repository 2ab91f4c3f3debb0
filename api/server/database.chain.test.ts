import { afterAll, expect, test } from 'vitest'
import { bumpVersion } from '../../db/event/terms.ts'
import { claims } from '../../db/schema/index.ts'
import { closeAll, proxied, startApi } from '../../e2e/lab/api-process.ts'
import { until } from '../../e2e/lab/until.ts'

afterAll(closeAll)
const { proxy, databaseUrl, db } = await proxied()
proxy.set('reset')
const api = await startApi(databaseUrl)
const ready = async () => {
  proxy.set('none')
  await api.ready
  await until(async () => !(await api.isStale()), 'fresh')
}

test('Q4: the API starts without its database, says so, and is there when it is', async () => {
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
    await ready()
    const before = await (await fetch(`${api.url}/api/raffle/config`)).text()
    const version = await api.version()
    proxy.set(fault)
    await until(() => api.isStale(), 'stale')
    const config = await fetch(`${api.url}/api/raffle/config`)
    expect([config.status, await config.text()]).toEqual([200, before])
    expect(await (await fetch(`${api.url}/api/ready`)).json()).toMatchObject({ status: 'ready', stale: true })
    const purchase = await api.purchase(`0x${'ab'.repeat(32)}`)
    expect(purchase.status).toBe(503)
    expect(await purchase.json()).toMatchObject({ code: 'DB_UNAVAILABLE' })
    await bumpVersion(db)
    proxy.set('none')
    await until(
      async () => !(await api.isStale()) && (await api.version()) > version,
      'the change that was missed',
    )
  },
)

test('Q5: a commit whose answer was lost is 503; the same call again answers what was recorded', async () => {
  await ready()
  const post = () => api.purchase(`0x${'cd'.repeat(32)}`)
  // The call that records it is the one statement that names the hash.
  proxy.cutAfter('cd'.repeat(32))
  expect((await post()).status).toBe(503)
  // The server of the database has it still before it when we have our answer.
  await until(async () => (await db.select().from(claims)).length > 0, 'the commit')
  const [recorded] = await db.select().from(claims)
  expect(recorded?.transactionHash).toBe(`0x${'cd'.repeat(32)}`)
  const again = await post()
  expect([again.status, await db.select().from(claims)]).toEqual([200, [recorded]])
})
