import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/sale.ts'
import { readClock } from '../../db/index.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { patient, secondsFromNow } from '../../e2e/lab/test-time.ts'
import { connectChain } from '../chain/index.ts'
import { scan } from './scan.ts'

let sale: Sale
let a: RpcProxy
let b: RpcProxy
let alarms: string[]

async function open(aheadSeconds = 0): Promise<void> {
  sale = await openSale({ genesisTime: secondsFromNow(aheadSeconds) })
  ;[a, b] = await Promise.all([startRpcProxy(sale.chain.url), startRpcProxy(sale.chain.url)])
}
beforeEach(() => {
  alarms = []
})
afterEach(async () => {
  await Promise.all([a.stop(), b.stop()])
  await sale.close()
})

const scanWith = (...urls: string[]): Promise<boolean> =>
  scan({
    ...sale.deps,
    chain: connectChain(urls, 56, {
      ...patient,
      clock: () => readClock(sale.db),
      onAlarm: (text) => alarms.push(text),
    }),
  })
/** Seconds that the noted newest block is ahead of the database's clock. */
async function noted(): Promise<number> {
  const { newestBlockTime } = (await getScanCursor(sale.db)) ?? {}
  return (newestBlockTime?.getTime() ?? Number.NaN) / 1000 - (await readClock(sale.db))
}
const pay = async (): Promise<void> => {
  await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 9_00 })
  await sale.chain.finalize()
}
const ticketsSold = async (): Promise<number> => {
  const [row] = await sale.db.execute<{ sold: number }>(sql`select tickets_sold as sold from events`)
  return row?.sold ?? 0
}

describe('the time of the newest block', () => {
  test.each([0, 1])('is not taken from endpoint %i alone', async (at) => {
    await open()
    await pay()
    ;[a, b][at]?.set('future-head')
    for (let run = 0; run < 2; run++) await scanWith(a.url, b.url)
    expect(await noted()).toBeLessThan(10)
  })

  test('is at most a minute beyond the clock, whatever the only endpoint tells, and that alarms', async () => {
    await open()
    await pay()
    a.set('future-head')
    for (let run = 0; run < 2; run++) await scanWith(a.url)
    expect(await noted()).toBeLessThanOrEqual(60)
    expect(alarms).toEqual(['clock and chain differ', 'clock and chain differ'])
  })

  test('goes back by itself once it is shown to be false', async () => {
    await open()
    await pay()
    await scanWith(a.url, b.url)
    await sale.db.execute(sql`update cursors set newest_block_time = '2106-02-07'`)
    await scanWith(a.url, b.url)
    expect(await noted()).toBeLessThan(10)
    expect(await ticketsSold()).toBe(3)
  })

  test('does not go back while blocks may have it', async () => {
    await open()
    await pay()
    await scanWith(a.url, b.url)
    await sale.db.execute(sql`update cursors set newest_block_time = now() + interval '55 seconds'`)
    const before = await getScanCursor(sale.db)
    await scanWith(a.url, b.url)
    expect((await getScanCursor(sale.db))?.newestBlockTime).toEqual(before?.newestBlockTime)
  })
})

test('a chain an hour ahead of the clock alarms, and its final blocks still give tickets', async () => {
  await open(3_600)
  await pay()
  for (let run = 0; run < 2; run++) await scanWith(a.url, b.url)
  expect(await ticketsSold()).toBe(3)
  expect(await noted()).toBeLessThanOrEqual(60)
  expect(alarms).toContain('clock and chain differ')
})

test('without a clock the chain has its own, as in local mode', async () => {
  await open(7_200)
  await pay()
  for (let run = 0; run < 2; run++) await scan(sale.deps)
  expect(await noted()).toBeGreaterThan(3_600)
})

test('an endpoint of three that stands still keeps no sale from opening', async () => {
  await open()
  const still = await startRpcProxy(sale.chain.url)
  still.set('stale-head')
  await connectChain([still.url], 56, patient).finalized()
  const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  await sale.startSaleAt(Number(timestamp) + 5)
  await sale.chain.rpc('evm_setNextBlockTimestamp', [Number(timestamp) + 20])
  await sale.chain.mine(5)
  await sale.chain.finalize()
  await scanWith(still.url, a.url, b.url)
  const [row] = await sale.db.execute<{ opened: boolean }>(
    sql`select opened_at is not null as opened from events`,
  )
  expect(row?.opened).toBe(true)
  await still.stop()
})
