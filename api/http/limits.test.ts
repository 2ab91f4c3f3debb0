import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { exactKey } from '../../core/address-list.ts'
import { producerRedis } from '../../core/server/queue-connection.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { redisServer, startRedis } from '../../e2e/lab/redis.ts'
import { startTcpProxy } from '../../e2e/lab/tcp-proxy.ts'
import { patient } from '../../e2e/lab/test-time.ts'
import { until } from '../../e2e/lab/until.ts'
import { createLimits, type Limit } from './limits.ts'

const refused = { code: 'RATE_LIMITED' }

/** How many of these calls pass, one after another. */
async function passed(limit: Limit, addresses: readonly string[]): Promise<number> {
  let count = 0
  for (const address of addresses)
    count += await limit.admit(address).then(
      () => 1,
      () => 0,
    )
  return count
}
const times = (count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => address(n))

describe('in one process', () => {
  afterEach(() => void vi.useRealTimers())

  test('an address gets its calls again when the span is over, and is told when', async () => {
    vi.useFakeTimers()
    const limit = createLimits()({ name: 'test', calls: 2, inSeconds: 10 })
    expect(
      await passed(
        limit,
        times(3, () => '203.0.113.1'),
      ),
    ).toBe(2)
    vi.advanceTimersByTime(4_000)
    await expect(limit.admit('203.0.113.1')).rejects.toMatchObject({
      ...refused,
      data: { retryAfterSeconds: 6 },
    })
    await limit.admit('203.0.113.2')
    vi.advanceTimersByTime(6_001)
    await limit.admit('203.0.113.1')
  })

  test('a call that is given back counts no more, and opens what it had shut', async () => {
    const limit = createLimits()({
      name: 'test',
      calls: 2,
      inSeconds: 10,
      code: 'LOGIN_THROTTLED',
    })
    const keys = [exactKey('one')]
    for (let call = 0; call < 5; call++) {
      await limit.admitKeys(keys)
      await limit.giveBack(keys)
    }
    await limit.admitKeys(keys)
    await limit.admitKeys(keys)
    await expect(limit.admitKeys(keys)).rejects.toMatchObject({ code: 'LOGIN_THROTTLED' })
    await limit.giveBack(keys)
    await limit.giveBack(keys)
    await limit.admitKeys(keys)
  })

  test('twenty buyers of one address who poll every second are never refused', async () => {
    vi.useFakeTimers()
    const reads = createLimits()({ name: 'reads', calls: 200, inSeconds: 4 })
    for (let second = 0; second < 60; second++) {
      expect(
        await passed(
          reads,
          times(20, () => '203.0.113.1'),
        ),
      ).toBe(20)
      vi.advanceTimersByTime(1_000)
    }
  })

  test('who asks on and on is told late, each a little later than the one before', async () => {
    const clock = handClock()
    const limit = createLimits(undefined, clock)({ name: 'test', calls: 2, inSeconds: 600 })
    expect(
      await passed(
        limit,
        times(203, () => '203.0.113.1'),
      ),
    ).toBe(2)
    const told: number[] = []
    const late = times(2, () => '203.0.113.1').map((address) =>
      limit.admit(address).catch(() => told.push(clock.now())),
    )
    await limit.admit('203.0.113.2')
    expect(told).toEqual([])
    clock.advance(907)
    await late[0]
    clock.advance(7)
    await Promise.all(late)
    expect(told).toEqual([907, 914])
  })

  test('a limit that decides about no answer keeps nobody waiting', async () => {
    const limit = createLimits(
      undefined,
      handClock(),
    )({ name: 'rows', calls: 1, inSeconds: 60, isSilent: true })
    expect(
      await passed(
        limit,
        times(300, () => '203.0.113.1'),
      ),
    ).toBe(1)
  })

  test('an IPv6 customer gets no more by having many networks: twice as much a /56, four times a /48', async () => {
    const limits = createLimits()
    const of = (name: string) => limits({ name, calls: 5, inSeconds: 60 })
    expect(
      await passed(
        of('64'),
        times(99, (n) => `2001:db8:0:1::${n}`),
      ),
    ).toBe(5)
    expect(
      await passed(
        of('56'),
        times(99, (n) => `2001:db8:0:${n.toString(16)}::1`),
      ),
    ).toBe(10)
    expect(
      await passed(
        of('48'),
        times(99, (n) => `2001:db8:0:${(n * 256).toString(16)}::1`),
      ),
    ).toBe(20)
    expect(
      await passed(
        of('many'),
        times(99, (n) => `2001:db8:${n}::1`),
      ),
    ).toBe(99)
  })

  test('a flood of more addresses than are remembered is nothing to those that came before, or from elsewhere', async () => {
    const limit = createLimits()({ name: 'test', calls: 3, inSeconds: 600 })
    const crowd = times(50_000, (n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
    expect(await passed(limit, crowd)).toBe(50_000)
    expect(
      await passed(
        limit,
        times(90, (n) => `192.0.2.${n}`),
      ),
    ).toBe(48)
    expect(await passed(limit, ['10.0.0.1', '10.0.0.1', '10.0.0.1', '198.51.100.1'])).toBe(3)
  })

  test('keys that are no addresses, as whoever floods makes them up, share counters too', async () => {
    const limit = createLimits()({ name: 'account', calls: 100_000, inSeconds: 600 })
    const used = (n: number) => limit.admitKeys([exactKey(createHash('sha256').update(`${n}`).digest('hex'))])
    for (let n = 0; n < 50_000; n++) expect(await used(n)).toBe(1)
    const counters = await Promise.all(times(20_000, (n) => `${n}`).map((n) => used(50_000 + Number(n))))
    expect(counters.filter((one) => one === 1).length).toBeLessThanOrEqual(4_096)
  })
})

// The product goes on without Redis, so a machine may lack it; `.ci/run` installs it where it can.
describe.skipIf(redisServer === null)('with Redis', async () => {
  const redis = redisServer ? await forFile(startRedis()) : undefined
  const proxy = await forFile(startTcpProxy({ port: redis?.port ?? 0 }))
  const clients: ReturnType<typeof producerRedis>[] = []
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect()
  })
  /** The limits of one API process more. */
  async function openProcess(url = redis?.url ?? '', clock?: Clock) {
    const client = producerRedis(url, () => undefined)
    clients.push(client)
    await until(() => client.status === 'ready')
    return { client, limits: createLimits(client, clock) }
  }
  const rule = (name: string) => ({ name, calls: 10, inSeconds: 60 })

  test('two processes count together, so an address gets no more by asking both', async () => {
    // However long this machine lets Redis take.
    const unhurried = { ...realClock, ...patient }
    const [one, two] = [await openProcess(redis?.url, unhurried), await openProcess(redis?.url, unhurried)]
    const ofBoth = [one, two].map(({ limits }) => limits(rule('together')))
    let count = 0
    for (let n = 0; n < 20; n++) count += await passed(ofBoth[n % 2] as Limit, ['203.0.113.9'])
    expect(count).toBe(10)
    const wide = [one, two].map(({ limits }) => limits(rule('wide')))
    count = 0
    for (let n = 0; n < 90; n++)
      count += await passed(wide[n % 2] as Limit, [`2001:db8:0:${(n * 256).toString(16)}::1`])
    expect(count).toBe(40)
  })

  test('a refused flood does not reach Redis', async () => {
    const { client, limits } = await openProcess()
    const limit = limits(rule('flood'))
    await passed(
      limit,
      times(200, () => '203.0.113.10'),
    )
    expect(await client.get('blockdraw:limit:flood:203.0.113.10')).toBe('10')
  })

  test.each(['gone', 'silent'] as const)(
    'Redis is %s: each process keeps its own limit, and counts together again',
    async (how) => {
      const { limits, client } = await openProcess(redis?.url.replace(`:${redis.port}`, `:${proxy.port}`))
      const limit = limits(rule(how))
      await passed(
        limit,
        times(4, () => '203.0.113.11'),
      )
      proxy.set(how === 'gone' ? 'reset' : 'silent')
      expect(
        await passed(
          limit,
          times(20, () => '203.0.113.11'),
        ),
      ).toBe(6)
      expect(
        await passed(
          limit,
          times(20, () => '203.0.113.12'),
        ),
      ).toBe(10)
      proxy.set('none')
      proxy.cut()
      await until(() => client.status === 'ready')
      const other = (await openProcess()).limits(rule(how))
      let n = 0
      await until(async () => {
        await passed(limit, [`198.51.100.${++n}`])
        return (
          (await passed(
            other,
            times(11, () => `198.51.100.${n}`),
          )) === 9
        )
      })
    },
  )
})
