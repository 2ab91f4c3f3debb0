import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import { payments } from '../../db/schema/index.ts'
import { openSale, type Sale } from '../lab/sale.ts'
import { startWorkerProcess, type WorkerProcess } from '../lab/worker-process.ts'

/** Six hours of blocks of 0.45 s. */
const behind = 48_000
const payers = 24
const soon = { timeout: 120_000, interval: 5 }

let sale: Sale
let worker: WorkerProcess | undefined
afterEach(async () => {
  await worker?.kill()
  await sale.close()
})

const startWorker = async () => {
  worker = await startWorkerProcess({ databaseUrl: sale.databaseUrl, rpcUrls: sale.chain.url })
}
const height = async () => Number((await getScanCursor(sale.db))?.height ?? 0n)

/** A payment every quarter of an hour, for six hours without a worker. */
async function letHoursPass(): Promise<Hash[]> {
  const paid: Hash[] = []
  for (let payer = 0; payer < payers; payer++) {
    const from = sale.chain.buyers[payer % 9] as (typeof sale.chain.buyers)[0]
    paid.push(await sale.chain.submitPayment({ from, cents: 3_00 * (1 + payer) }))
    await sale.chain.mine(behind / payers)
  }
  return paid
}

test('a worker that was down for hours catches up in steps, survives a kill, and credits in chain order', async () => {
  sale = await openSale({ genesisTime: Math.floor(Date.now() / 1000) - 2 * behind, history: false })
  const paid = await letHoursPass()

  await startWorker()
  await expect.poll(height, soon).toBeGreaterThan(0)
  await worker?.kill()
  const reached = await height()
  expect(reached).toBeLessThan(behind)

  const late = await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 3_00 })
  await sale.chain.finalize()
  await sale.post(late)
  await sale.db.execute(sql`create table seen (height bigint, tickets bigint)`)
  await sale.db.execute(sql`create function see() returns trigger language plpgsql security definer as $$ begin
    insert into seen select new.height, tickets_sold from events; return new; end $$`)
  await sale.db.execute(sql`create trigger see after update of height on scan_cursor
    for each row execute function see()`)

  await startWorker()
  await expect.poll(async () => (await sale.claim(late))?.status, soon).toBe('credited')
  const steps = await sale.db.execute<{ height: string }>(sql`select height from seen order by height`)
  expect(steps.length).toBeGreaterThan(3)
  expect(Number(steps[0]?.height)).toBeGreaterThan(reached)

  const rows = await sale.db.select().from(payments).orderBy(payments.blockNumber)
  expect(rows.map((row) => row.transactionHash)).toEqual([...paid, late])
  let next = 1
  for (const row of rows) {
    expect(Number(row.ticketNumber)).toBe(next)
    next += Number(row.ticketCount)
  }
})
