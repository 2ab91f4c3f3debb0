import { expect, test } from 'vitest'
import type { JobQueue } from '../core/server/queue.ts'
import { noteSolvency } from '../db/report/solvency.ts'
import { type DrawWorld, openDrawWorld } from '../e2e/lab/draw-story.ts'
import { eachQueue } from '../e2e/lab/each-queue.ts'
import { forFile } from '../e2e/lab/opened.ts'
import { connectChain } from './chain/index.ts'
import { createMetrics } from './metrics.ts'

const world = await forFile(openDrawWorld())

const quiet: Pick<JobQueue, 'counts' | 'memory'> = {
  counts: async () => eachQueue({ waiting: 3, active: 1, delayed: 0, oldestSeconds: 4.5 }),
  memory: async () => ({ usedBytes: 150, limitBytes: 200 }),
}

/** The lines of one reading, without the comments, by name and labels. */
async function read(metrics: ReturnType<typeof createMetrics>): Promise<Map<string, number>> {
  const lines = (await metrics.read()).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('shows how far payments are on their way from the chain to their tickets', async () => {
  await world.sell()
  await world.mine(3)
  await world.scan()
  const metrics = createMetrics({ ...world.deps, jobs: quiet })
  metrics.count('scan', 'done')
  metrics.count('verify-payment', 'again')
  const told = await read(metrics)
  const expected = {
    'blockdraw_jobs_total{job="scan",outcome="done"}': 1,
    'blockdraw_jobs_total{job="verify-payment",outcome="again"}': 1,
    'blockdraw_queue_oldest_seconds{queue="draw"}': 4.5,
    blockdraw_queue_up: 1,
    blockdraw_redis_memory_bytes: 150,
    blockdraw_redis_memory_limit_bytes: 200,
    blockdraw_database_up: 1,
    blockdraw_event_halted: 0,
    blockdraw_chain_finality_stalled: 0,
  }
  for (const [name, value] of Object.entries(expected)) expect([name, told.get(name)]).toEqual([name, value])
  const host = new URL(world.url).host
  expect(told.get(`blockdraw_rpc_calls_total{host="${host}"}`)).toBeGreaterThan(3)
  expect(told.get(`blockdraw_rpc_up{host="${host}"}`)).toBe(1)
  expect(Math.abs(told.get('blockdraw_clock_offset_seconds') ?? 99)).toBeLessThan(60) // both clocks are this machine's
  // The chain of this story began an hour ago.
  expect(told.get('blockdraw_scan_lag_seconds')).toBeGreaterThan(60)
})

test('what the wallets hold is no alarm only while it is known to be enough', async () => {
  const seen = async () =>
    (await read(createMetrics({ ...world.deps, jobs: quiet }))).get('blockdraw_cover_short')
  expect(await seen()).toBe(1)
  const units = (usdt: bigint) => usdt * 10n ** 18n
  const reading = { block: { number: 1n, timestamp: 1 }, required: units(120n) }
  await noteSolvency(world.db, { ...reading, held: units(130n) })
  expect(await seen()).toBe(0)
  await noteSolvency(world.db, { ...reading, held: units(120n) - 1n })
  expect(await seen()).toBe(1)
})

test('counts the failures of an endpoint by kind and names it by its host alone (I24)', async () => {
  const chain = connectChain(['http://127.0.0.1:1/v3/secret-key'], 56)
  const metrics = createMetrics({ db: world.db, jobs: quiet, chain })
  await expect(chain.latest()).rejects.toThrow()
  await expect(chain.latest()).rejects.toThrow()
  const text = await metrics.read()
  expect(text).toContain('blockdraw_rpc_errors_total{host="127.0.0.1:1",kind="network"} 2')
  expect(text).toContain('blockdraw_rpc_up{host="127.0.0.1:1"} 0')
  expect(text).not.toContain('secret-key')
})

test('an unreachable queue or database is reported and does not stop the reading', async () => {
  const gone = { execute: () => Promise.reject(new Error('gone')) } as unknown as DrawWorld['db']
  const jobs = {
    counts: async () => eachQueue(undefined),
    memory: async () => undefined,
  }
  const told = await read(createMetrics({ db: gone, jobs, chain: world.deps.chain }))
  expect([told.get('blockdraw_queue_up'), told.get('blockdraw_database_up')]).toEqual([0, 0])
})
