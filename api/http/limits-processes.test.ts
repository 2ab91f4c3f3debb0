import { afterAll, expect, test } from 'vitest'
import { closeAll, closeLater, proxied, startApi } from '../../e2e/lab/api-process.ts'
import { redisServer, startRedis } from '../../e2e/lab/redis.ts'

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
    /** The rule of this call has the longest span, so that no slow machine outlasts it. */
    const handIn = async (url: string) =>
      (
        await fetch(`${url}/api/raffle/beacon`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ eventNumber: 1, signature: 'ab'.repeat(48) }),
        })
      ).status
    const statuses: number[] = []
    for (let n = 0; n < 16; n++) statuses.push(await handIn(apis[n % 2]?.url ?? ''))
    expect(statuses).toEqual([...Array(10).fill(404), ...Array(6).fill(429)])
    await redis.kill()
    const [lone] = apis
    expect(await handIn(lone?.url ?? '')).toBe(429)
    expect(await lone?.answers('/api/admin/check-access', 200)).toBe(true)
  },
)
