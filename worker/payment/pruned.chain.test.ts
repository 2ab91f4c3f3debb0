import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/sale.ts'
import { getOutgoingCursor } from '../../db/refund/facts.ts'
import { cursors, payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { handClock } from '../../e2e/lab/hand-clock.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { keptBlocks, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { watchRefunds } from '../refund/refunds.ts'
import { scan } from './scan.ts'

const faults = ['pruned-null', 'pruned-error'] as const
const past = keptBlocks * 60

const sale = forEachTest(() => openSale({ history: false }))
const proxy = forEachTest(() => startRpcProxy(sale.chain.url))
const deps = forEachTest(() => sale.depsOn(proxy.url))

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
  test('the scan begins at the sale start, and the reading of what wallets sent too', async () => {
    await startNow()
    proxy.set(fault)
    const hash = await pay()
    await scan(deps)
    expect(await recorded()).toEqual([hash])
    await watchRefunds({ ...deps, refundMinUnits: 0n })
    expect((await getOutgoingCursor(sale.db))?.height).toBe((await sale.chain.height()) - 2n)
  })

  test('a sale start before its first block is no empty sale: the scan waits with HISTORY_MISSING', async () => {
    await pay()
    await sale.chain.mine(past)
    proxy.set(fault)
    expect(await codeOf(scan(deps))).toBe('HISTORY_MISSING')
    expect(await getScanCursor(sale.db)).toBeUndefined()
  })

  test('what is missing is not searched for again at every scan', async () => {
    await pay()
    await sale.chain.mine(past)
    proxy.set(fault)
    // Later than a second: it is looked whether the block is back.
    const clock = handClock()
    await codeOf(scan({ ...deps, clock }))
    const asked = proxy.asked('eth_getBlockByNumber')
    expect(asked).toBeGreaterThan(10)
    clock.advance(1_000)
    await codeOf(scan({ ...deps, clock }))
    expect(proxy.asked('eth_getBlockByNumber') - asked).toBeLessThan(5)
  })

  test('a second after the endpoint has its history again the payment has its ticket', async () => {
    const clock = handClock()
    const timed = { ...deps, clock }
    const hash = await pay()
    await sale.chain.mine(past)
    proxy.set(fault)
    expect(await codeOf(scan(timed))).toBe('HISTORY_MISSING')
    proxy.set()
    clock.advance(999)
    expect(await codeOf(scan(timed))).toBe('HISTORY_MISSING')
    clock.advance(1)
    await scan(timed)
    expect(await recorded()).toEqual([hash])
  })

  test('a scan that stood so long that its next block is gone waits with HISTORY_MISSING', async () => {
    await pay()
    await scan(deps)
    const before = await getScanCursor(sale.db)
    await sale.chain.mine(past)
    proxy.set(fault)
    expect(await codeOf(scan(deps))).toBe('HISTORY_MISSING')
    expect((await getScanCursor(sale.db))?.height).toBe(before?.height)
  })

  test('a payment whose block is gone stays, though the newest block that was read was replaced', async () => {
    const hash = await pay()
    await scan(deps)
    for (let n = 0; n < 6; n++) {
      await sale.chain.mine(keptBlocks / 2)
      await scan(deps)
    }
    proxy.set(fault)
    await sale.db.update(cursors).set({ hash: `0x${'ab'.repeat(32)}` })
    expect(await codeOf(scan(deps))).toBe('HISTORY_MISSING')
    expect(await recorded()).toEqual([hash])
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

test('one of two nodes has pruned the first payment: after a reorg the scan goes on from the newest, which both have', async () => {
  const both = sale.depsOn(proxy.url, sale.chain.url)
  const hashes = [await pay()]
  await scan(both)
  await sale.chain.mine(keptBlocks * 2)
  hashes.push(await pay())
  await scan(both)
  proxy.set('pruned-null')
  await sale.db.update(cursors).set({ hash: `0x${'ab'.repeat(32)}` })
  await scan(both)
  await scan(both)
  expect(await recorded()).toEqual(hashes)
  expect((await getScanCursor(sale.db))?.hash).not.toBe(`0x${'ab'.repeat(32)}`)
})
