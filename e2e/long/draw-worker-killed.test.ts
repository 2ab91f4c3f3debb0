import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterEach, expect, test } from 'vitest'
import { blockSeedOf, drawWinner } from '../../core/draw/draw.ts'
import { draws } from '../../db/schema/index.ts'
import { testDb } from '../lab/database.ts'
import { type DrawWorld, openDrawWorld } from '../lab/draw-story.ts'
import { type RpcProxy, startRpcProxy } from '../lab/rpc-proxy.ts'
import { startWorkerProcess, type WorkerProcess } from '../lab/worker-process.ts'

let world: DrawWorld
let proxy: RpcProxy
let worker: WorkerProcess | undefined
afterEach(async () => {
  await worker?.kill()
  await proxy?.stop()
  await world?.close()
})

const soon = { timeout: 60_000, interval: 2 }
const drawn = () => world.db.select().from(draws)

test('D2: a worker process killed at each step of the draw and after it: one draw, of the right blocks', async () => {
  const database = await testDb()
  world = await openDrawWorld({ database })
  proxy = await startRpcProxy(world.url)
  const start = async () => {
    proxy.set()
    worker = await startWorkerProcess({ databaseUrl: database.url, rpcUrls: proxy.url })
  }
  const height = await world.toDraw()

  // During each of its requests to the chain; a lock keeps draws from being written meanwhile.
  const hold = await holdTable(database.url, 'draws')
  for (const questions of [1, 2, 4, 8]) {
    await start()
    await expect.poll(() => proxy.asked('eth_getBlockByNumber'), soon).toBeGreaterThanOrEqual(questions)
    await worker?.kill()
  }
  await hold.release()
  expect(await drawn()).toEqual([])

  // At each write of the transaction, while it waits for a lock.
  for (const table of ['events', 'draws', 'public_version']) {
    const held = await holdTable(database.url, table)
    await start()
    await expect.poll(held.isAwaited, soon).toBe(true)
    await worker?.kill()
    await held.release()
    expect([table, await drawn()]).toEqual([table, []])
  }

  // Right after the commit.
  await start()
  await expect.poll(async () => (await drawn()).length, soon).toBe(1)
  await worker?.kill()
  const [first] = await drawn()
  await start()
  await expect.poll(() => proxy.asked('eth_getBlockByNumber'), soon).toBeGreaterThan(8)
  expect(await drawn()).toEqual([first])

  const hashes = await Promise.all(
    [4n, 3n, 2n, 1n, 0n].map(
      async (back) => (await world.deps.chain.header(height - back))?.hash as `0x${string}`,
    ),
  )
  expect(first).toMatchObject(drawWinner(blockSeedOf(hashes), 39))
})

/** Blocks writes to a table, as a slow transaction would. */
async function holdTable(databaseUrl: string, table: string) {
  const client = postgres(databaseUrl, { max: 1 })
  await client.unsafe(`begin; lock table ${table} in exclusive mode`)
  return {
    isAwaited: async () => {
      const rows = await world.db.execute(sql`select 1 from pg_locks
        where relation = ${table}::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      return rows.length > 0
    },
    release: () => client.end(),
  }
}
