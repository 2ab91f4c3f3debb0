import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { closeAll, closeLater, proxied, startApi } from '../../e2e/lab/api-process.ts'
import { redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { soon } from '../../e2e/lab/story.ts'

type Api = Awaited<ReturnType<typeof startApi>>

afterAll(closeAll)

// The product goes on without Redis, so a machine may lack it; `.ci/run` installs it where it can.
test.skipIf(redisServer === null)(
  'an address that asks two API processes in turn has one limit; without Redis each keeps its own',
  async () => {
    const redis = await startRedis()
    closeLater(redis.stop)
    const { databaseUrl } = await proxied()
    const apis = await Promise.all([1, 2].map(() => startApi(databaseUrl, { REDIS_URL: redis.url })))
    await Promise.all(apis.map(({ ready }) => ready))
    const [first, second] = apis as [Api, Api]
    /** The rule of this call has the longest span, so that no slow machine outlasts it. */
    const handIn = async ({ url }: Api) =>
      (
        await fetch(`${url}/api/raffle/beacon`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ eventNumber: 1, signature: 'ab'.repeat(48) }),
        })
      ).status
    const counters = new Redis(redis.url)
    closeLater(async () => counters.disconnect())
    const counted = async () => {
      const keys = await counters.keys('blockdraw:limit:*')
      const counts = keys.length ? await counters.mget(keys) : []
      return counts.reduce((sum, count) => sum + Number(count), 0)
    }
    /** An answer of Redis that took too long lets the process count alone for a moment. */
    const sharing = ({ url }: Api) =>
      soon(async () => {
        const before = await counted()
        await fetch(`${url}/api/admin/check-access`)
        return (await counted()) > before
      }).toBe(true)
    for (let n = 0; n < 10; n++) {
      await sharing(first)
      expect(await handIn(first)).toBe(404)
    }
    await sharing(second)
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) statuses.push(await handIn(second))
    // Alone it would let ten pass.
    expect(statuses).toContain(429)
    await counters.quit()
    await redis.kill()
    expect(await handIn(second)).toBe(429)
    expect(await second.answers('/api/admin/check-access', 200)).toBe(true)
  },
)
