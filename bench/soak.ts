import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { bumpVersion } from '../db/event/terms.ts'
import type { Db } from '../db/index.ts'
import { events } from '../db/schema/index.ts'
import { startApi } from './lib/api.ts'
import { judged, printTable } from './lib/figures.ts'
import { load } from './lib/load.ts'
import { memoryOf, pinned, placing } from './lib/pinned.ts'

type Sample = { second: number; rss: number; files: number; connections: number }

const script = join(import.meta.dir, 'lib/live-readers.ts')

/**
 * I25: a mixed load for some minutes: `bun run bench soak [minutes]`, 1 by default, 10 for a verdict. Streams
 * that stay and streams that come and go, two changes a second, public calls, purchases. Memory may grow by
 * 15 % after the first minute (or tenth of the time); files and connections must return to their first
 * values.
 */
export async function bench([minutes = '1']: string[]): Promise<void> {
  const seconds = Number(minutes) * 60
  const api = await startApi()
  const idle = await sample(0, api.pid, api.db)
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  const isOver = () => elapsed() > seconds
  const samples: Sample[] = []
  let calls = 0
  let purchases = 0

  const staying = pinned(1, [process.execPath, script, `${api.port}`, '/api/live', '500'])
  await staying.next()
  const change = async () => {
    for (let sold = 1; !isOver(); sold++) {
      await api.db.transaction(async (tx) => {
        await tx.update(events).set({ ticketsSold: sold })
        await bumpVersion(tx)
      })
      await Bun.sleep(500)
    }
  }
  const comeAndGo = async () => {
    while (!isOver()) {
      const readers = pinned(1, [process.execPath, script, `${api.port}`, '/api/live', '200'])
      await readers.next()
      await Bun.sleep(1_000)
      await readers.stop()
    }
  }
  const ask = async () => {
    while (!isOver()) {
      calls += (await load(`${api.url}/api/raffle/config`, 1)).rps
      await Bun.sleep(1_000)
    }
  }
  const buy = async () => {
    for (let visitor = 0; !isOver(); visitor++) {
      const { status } = await fetch(`${api.url}/api/tickets/purchase`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.7.${(visitor >> 8) & 255}.${visitor & 255}`,
        },
        body: JSON.stringify({ transactionHash: `0x${visitor.toString(16).padStart(64, '0')}` }),
      })
      if (status !== 202) throw new Error(`A purchase was answered ${status}.`)
      purchases++
      await Bun.sleep(100)
    }
  }
  const watch = async () => {
    while (!isOver()) {
      samples.push(await sample(Math.round(elapsed()), api.pid, api.db))
      await Bun.sleep(Math.min(5_000, seconds * 50))
    }
  }
  await Promise.all([change(), comeAndGo(), ask(), buy(), watch()])
  await staying.stop()
  await Bun.sleep(2_000)
  const after = await sample(Math.round(elapsed()), api.pid, api.db)
  await api.stop()

  const settledAt = Math.max(seconds / 10, Math.min(60, seconds / 2))
  const early = samples.find(({ second }) => second >= settledAt) ?? idle
  const late = samples.at(-1) ?? idle
  const growth = late.rss / early.rss
  console.log(
    `${minutes} min, 500 streams that stay, 200 that come and go, 2 changes/s, ${Math.round(calls)} public calls, ${purchases} purchases, ${placing}`,
  )
  const row = (when: string, one: Sample) => ({
    when,
    second: one.second,
    'RSS MiB': one.rss.toFixed(1),
    files: one.files,
    'database connections': one.connections,
  })
  printTable([
    row('idle', idle),
    row('settled', early),
    row('end of load', late),
    row('after', after),
    { when: 'RSS end / settled', 'RSS MiB': growth.toFixed(3), goal: judged(growth <= 1.15, '<= 1.15') },
    {
      when: 'back to idle',
      files: after.files - idle.files,
      'database connections': after.connections - idle.connections,
      // The pool opens its connections when they are first used and keeps them.
      goal: judged(after.files - idle.files <= 20, 'no more than the pool'),
    },
  ])
}

async function sample(second: number, pid: number, db: Db): Promise<Sample> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name <> 'blockdraw bench'`,
  )
  return {
    second,
    rss: memoryOf(pid).rss,
    files: readdirSync(`/proc/${pid}/fd`).length,
    connections: row?.count ?? 0,
  }
}
