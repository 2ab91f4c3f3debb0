import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/scan-cursor.ts'
import { getWatchCursor } from '../../db/refund/watch.ts'
import { payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { keptBlocks, type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import type { Deps } from '../deps.ts'
import { watchRefunds } from '../refund/watch.ts'
import { scan } from './scan.ts'

const faults = ['pruned-null', 'pruned-error'] as const
const past = keptBlocks * 60

let sale: Sale
let proxy: RpcProxy
let deps: Deps

beforeEach(async () => {
  sale = await openSale()
  proxy = await startRpcProxy(sale.chain.url)
  deps = sale.depsOn(proxy.url)
})
afterEach(async () => {
  await proxy.stop()
  await sale.close()
})

/** The sale starts now, on a chain that is much longer than what its nodes keep. */
async function startNow(): Promise<void> {
  await sale.chain.mine(past)
  const block = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  await sale.startSaleAt(Number(block.timestamp) + 2)
  await sale.chain.rpc('evm_setNextBlockTimestamp', [Number(block.timestamp) + 2])
}
const pay = async () => {
  const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 3_00 })
  await sale.chain.mine()
  await sale.chain.finalize()
  return hash
}
const recorded = async () =>
  (await sale.db.select({ hash: payments.transactionHash }).from(payments)).map(({ hash }) => hash)

describe.each(faults)('a node that has pruned old blocks (%s)', (fault) => {
  test('the scan begins at the sale start, and the refund watch too', async () => {
    await startNow()
    proxy.set(fault)
    const hash = await pay()
    await scan(deps)
    expect(await recorded()).toEqual([hash])
    await watchRefunds(deps)
    expect((await getWatchCursor(sale.db))?.height).toBe((await sale.chain.height()) - 2n)
  })

  test('a sale start before its first block is no empty sale: scan and watch wait with HISTORY_MISSING', async () => {
    await pay()
    await sale.chain.mine(past)
    proxy.set(fault)
    expect(await codeOf(scan(deps))).toBe('HISTORY_MISSING')
    expect(await codeOf(watchRefunds(deps))).toBe('HISTORY_MISSING')
    expect([await getScanCursor(sale.db), await getWatchCursor(sale.db)]).toEqual([undefined, undefined])
  })

  test('what is missing is not searched for again at every scan', async () => {
    await pay()
    await sale.chain.mine(past)
    proxy.set(fault)
    await codeOf(scan(deps))
    const asked = proxy.asked('eth_getBlockByNumber')
    expect(asked).toBeGreaterThan(10)
    await codeOf(scan(deps))
    expect(proxy.asked('eth_getBlockByNumber') - asked).toBeLessThan(5)
  })

  test('a scan that stood so long that its next block is gone waits with HISTORY_MISSING', async () => {
    await pay()
    await scan(deps)
    await watchRefunds(deps)
    const before = await getScanCursor(sale.db)
    await sale.chain.mine(past)
    proxy.set(fault)
    expect(await codeOf(scan(deps))).toBe('HISTORY_MISSING')
    expect(await codeOf(watchRefunds(deps))).toBe('HISTORY_MISSING')
    expect((await getScanCursor(sale.db))?.height).toBe(before?.height)
  })
})

test('one of two nodes has pruned the sale start: nothing is assumed of it', async () => {
  await pay()
  await sale.chain.mine(past)
  proxy.set('pruned-null')
  const both = sale.depsOn(proxy.url, sale.chain.url)
  expect(await codeOf(scan(both))).toBe('HISTORY_MISSING')
  const [row] = await sale.db.execute<{ n: number }>(sql`select count(*)::int as n from payments`)
  expect(row?.n).toBe(0)
})
