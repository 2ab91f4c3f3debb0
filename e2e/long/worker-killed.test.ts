import { eq, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claims, payments } from '../../db/schema/index.ts'
import { type LocalRedis, startRedis } from '../lab/redis.ts'
import { openSale, type Sale } from '../lab/sale.ts'
import { until } from '../lab/until.ts'
import { startWorkerProcess, type WorkerProcess } from '../lab/worker-process.ts'

let sale: Sale
let redis: LocalRedis
let worker: WorkerProcess | undefined
let mining: Timer

beforeEach(async () => {
  ;[sale, redis] = await Promise.all([openSale(), startRedis()])
  mining = setInterval(() => void sale.chain.mine().catch(() => undefined), 450)
})
afterEach(async () => {
  clearInterval(mining)
  await worker?.kill()
  worker = undefined
  await Promise.all([sale.close(), redis.stop()])
})

const backends = { Redis: () => redis.url, Postgres: () => undefined }
const start = async (redisUrl: string | undefined) => {
  worker = await startWorkerProcess({ databaseUrl: sale.databaseUrl, redisUrl, rpcUrls: sale.chain.url })
  return worker
}

/** Milliseconds until `holds` does. */
const soon = (holds: () => Promise<boolean>): Promise<number> =>
  until(holds, () => `The worker's last lines:\n${worker?.tail()}`)
const isCredited = (hashes: readonly Hash[]) => async () =>
  (await sale.db.select().from(payments)).filter((row) => hashes.includes(row.transactionHash)).length ===
  hashes.length
const openClaims = async () =>
  (await sale.db.select().from(claims)).filter((claim) => claim.nextAttemptAt !== null).length

/** Makes and posts `count` purchases; every fifth one runs out of gas. */
async function buy(count: number): Promise<{ paid: Hash[]; reverted: Hash[] }> {
  const [paid, reverted]: [Hash[], Hash[]] = [[], []]
  for (let n = 0; n < count; n++) {
    const fails = n % 5 === 4
    const from = sale.chain.buyers[n % 5] as (typeof sale.chain.buyers)[0]
    const hash = await sale.chain.submitPayment({ from, cents: 3_00, ...(fails && { gas: 30_000n }) })
    await sale.post(hash)
    if (fails) reverted.push(hash)
    else paid.push(hash)
  }
  return { paid, reverted }
}

describe.each(Object.keys(backends) as (keyof typeof backends)[])('on %s', (backend) => {
  test('Q3, I27: after repeated kills of a worker all payments are credited once, within 5 s of its return', async () => {
    // What a worker that nobody kills needs here and now, as the machine may be busy.
    const calm = await buy(50)
    await start(backends[backend]())
    const usualMs = await soon(isCredited(calm.paid))
    await soon(async () => (await openClaims()) === 0)
    await worker?.kill()

    const { paid, reverted } = await buy(50)
    for (const lifeMs of [0, 5, 20, 60, 150, 400]) {
      await start(backends[backend]())
      await Bun.sleep(lifeMs)
      await worker?.kill()
    }
    await sale.chain.mine(3)
    await start(backends[backend]())
    expect(await soon(isCredited(paid))).toBeLessThan(5_000 + usualMs)
    await soon(async () => (await openClaims()) === 0)
    const rows = await sale.db.select().from(payments)
    expect(rows.map((row) => row.ticketNumber).sort((a, b) => Number(a) - Number(b))).toEqual(
      [...calm.paid, ...paid].map((_, index) => index + 1),
    )
    expect((await sale.claim(reverted[0] as Hash))?.reason).toBe('reverted')
  })
})

test.each([0, 30, 120, 300])(
  'Q3: a worker paused after %i ms resumes beside another one: nothing counts twice',
  async (ms) => {
    const { paid } = await buy(20)
    const first = await start(redis.url)
    await Bun.sleep(ms)
    first.pause()
    const second = await startWorkerProcess({
      databaseUrl: sale.databaseUrl,
      redisUrl: redis.url,
      rpcUrls: sale.chain.url,
    })
    try {
      const more = await buy(20)
      await Bun.sleep(1_000)
      first.resume()
      await soon(isCredited([...paid, ...more.paid]))
      await soon(async () => (await openClaims()) === 0)
      const numbers = (await sale.db.select().from(payments)).map((row) => Number(row.ticketNumber))
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, n) => n + 1))
    } finally {
      await second.kill()
    }
  },
)

test('Q1: a wiped and a dead Redis lose nothing, and buyers are credited meanwhile', async () => {
  await start(redis.url)
  const before = await buy(10)
  await redis.flush()
  await soon(isCredited(before.paid))
  await redis.kill()
  const during = await buy(10)
  await soon(isCredited(during.paid))
  await redis.restart()
  await soon(async () => (await openClaims()) === 0)
  expect(await sale.db.select().from(claims).where(eq(claims.status, 'rejected'))).toHaveLength(4)
})

test('Q2: the queue on Postgres loses every connection, including LISTEN, without a delay', async () => {
  await start(undefined)
  const first = await buy(5)
  const cut = await sale.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name not like 'blockdraw%'`)
  expect(cut.length).toBeGreaterThan(0)
  const second = await buy(5)
  await soon(isCredited([...first.paid, ...second.paid]))
  await soon(async () => (await openClaims()) === 0)
})
