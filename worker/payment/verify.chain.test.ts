import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { getOpenEvent } from '../../db/event/events.ts'
import { readClock } from '../../db/index.ts'
import { claims, payments } from '../../db/schema/index.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { invented, openSale } from '../../e2e/lab/sale.ts'
import { scan } from './scan.ts'
import { verifyPayment } from './verify.ts'

const sale = await forFile(openSale())
const proxy = await forFile(startRpcProxy(sale.chain.url))
const [alice, bob] = sale.chain.buyers

beforeEach(async () => {
  proxy.set()
  await sale.db.delete(claims)
})

describe('a claim', () => {
  test('goes from received over confirming to credited, and the scan alone gives the tickets', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 10_00 })
    await sale.post(hash)
    expect(await sale.verify(hash)).toMatchObject({ status: 'received', attempts: 1 })
    await sale.chain.mine()
    expect(await sale.verify(hash)).toMatchObject({ status: 'confirming', reason: null, attempts: 0 })
    expect(await sale.report(hash)).toMatchObject({ payments: [{ ticketNumber: null, amount: 10_00 }] })
    await sale.chain.finalize()
    expect(await sale.verify(hash)).toMatchObject({ status: 'confirming' })
    await scan(sale.deps)
    expect(await sale.claim(hash)).toMatchObject({ status: 'credited', nextAttemptAt: null })
    expect(await sale.report(hash)).toMatchObject({ payments: [{ ticketCount: 3, amount: 10_00 }] })
  })

  test('P3: is not judged before its block is final, and a reverted one is rejected then', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 9_00, gas: 30_000n })
    await sale.chain.mine()
    await sale.post(hash)
    expect(await sale.verify(hash)).toMatchObject({ status: 'confirming', reason: null })
    await sale.chain.finalize()
    expect(await sale.verify(hash)).toMatchObject({
      status: 'rejected',
      reason: 'reverted',
      nextAttemptAt: null,
    })
  })

  test('that was paid to somebody else is rejected with its reason', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, to: bob, cents: 9_00 })
    await sale.chain.finalize()
    await sale.post(hash)
    expect(await sale.verify(hash)).toMatchObject({ status: 'rejected', reason: 'no_transfer' })
  })

  test('I27: taken by several jobs at once it is looked up by one', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 3_00 })
    await sale.chain.finalize()
    await sale.post(hash)
    const deps = sale.depsOn(proxy.url)
    await Promise.all(Array.from({ length: 8 }, () => verifyPayment(deps, { hashes: [hash] })))
    expect(proxy.asked('eth_getTransactionReceipt')).toBeLessThanOrEqual(2) // once to look, once to confirm
    expect(await sale.claim(hash)).toMatchObject({ status: 'confirming' })
  })

  test('that comes while its payment is being recorded is ended by the next look', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 3_00 })
    await sale.chain.finalize()
    await scan(sale.deps)
    // As if its insert had been committed just after the fold had looked for claims.
    await sale.db.insert(claims).values({ transactionHash: hash })
    expect(await sale.verify(hash)).toMatchObject({ status: 'credited', nextAttemptAt: null })
  })

  test('many are looked up in one job', async () => {
    const hashes = Array.from({ length: 250 }, (_, n) => invented(n))
    for (const hash of hashes) await sale.post(hash)
    const began = await readClock(sale.db)
    await verifyPayment(sale.deps, { hashes })
    const rows = await sale.db.select().from(claims)
    expect(rows.filter((row) => row.attempts === 1)).toHaveLength(100)
    // P12: the others wait for the rate limit and lose nothing.
    expect(rows.filter((row) => row.attempts === 0 && row.status === 'received')).toHaveLength(150)
    // None is due again within a second.
    for (const { nextAttemptAt } of rows)
      expect(nextAttemptAt?.getTime()).toBeGreaterThan((began + 1) * 1000 - 1)
  })
})

describe('P9: the answer of one endpoint', () => {
  test('is no verdict where two are configured and the other one disagrees', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 3_00 })
    await sale.chain.finalize()
    await sale.post(hash)
    proxy.set('reverted-receipts')
    const deps = sale.depsOn(proxy.url, sale.chain.url)
    for (let n = 0; n < 3; n++)
      expect(await sale.verify(hash, deps)).toMatchObject({ status: 'confirming', reason: null })
    await scan(sale.deps)
    expect(await sale.claim(hash)).toMatchObject({ status: 'credited' })
  })

  test('is shown as a preview while the other one is dead, and judged when it is back', async () => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 3_00, gas: 30_000n })
    await sale.chain.finalize()
    await sale.post(hash)
    proxy.set('null-receipts')
    const deps = sale.depsOn(sale.chain.url, proxy.url)
    expect(await sale.verify(hash, deps)).toMatchObject({ status: 'confirming', reason: null })
    proxy.set()
    expect(await sale.verify(hash, deps)).toMatchObject({ status: 'rejected', reason: 'reverted' })
  })
})

describe('P8: a reorg', () => {
  test.each([1, 2])('of %i blocks before finality removes a preview', async (depth) => {
    const hash = await sale.chain.submitPayment({ from: alice, cents: 3_00 })
    await sale.chain.mine(depth)
    await sale.post(hash)
    expect(await sale.verify(hash)).toMatchObject({ status: 'confirming' })
    await sale.chain.reorg(depth)
    await sale.chain.drop(hash).catch(() => undefined)
    expect(await sale.verify(hash)).toMatchObject({
      status: 'confirming',
      attempts: 1,
      nextAttemptAt: expect.anything(),
    })
    await sale.chain.finalize()
    await scan(sale.deps)
    expect(await sale.db.select().from(payments).where(eq(payments.transactionHash, hash))).toEqual([])
  })
})

describe('a final payment that the scan has passed', () => {
  test('is a hole: the event is refolded and the payment gets its number', async () => {
    const missed = await sale.chain.submitPayment({ from: bob, cents: 12_00 })
    await sale.chain.finalize()
    await scan(sale.deps)
    const before = (await getOpenEvent(sale.db))?.ticketsSold ?? 0
    // As if the node had left it out of its answer.
    await sale.db.delete(payments).where(eq(payments.transactionHash, missed))
    await sale.db.execute(sql`update events set tickets_sold = tickets_sold - 4`)
    await sale.post(missed)
    await sale.verify(missed)
    expect((await getOpenEvent(sale.db))?.haltedAt).not.toBeNull()
    await scan(sale.deps)
    expect(await sale.claim(missed)).toMatchObject({ status: 'credited' })
    expect((await getOpenEvent(sale.db))?.ticketsSold).toBe(before)
  })

  test('P10: from before the first sale ends its claim as early', async () => {
    const early = await sale.chain.submitPayment({ from: bob, cents: 12_00 })
    await sale.chain.finalize()
    await scan(sale.deps)
    await sale.db.delete(payments).where(eq(payments.transactionHash, early))
    const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    await sale.startSaleAt(Number(timestamp) + 100)
    await sale.post(early)
    expect(await sale.verify(early)).toMatchObject({ status: 'rejected', reason: 'early' })
    expect(await sale.db.select().from(payments).where(eq(payments.transactionHash, early))).toEqual([])
  })

  test('from more than a day before the first sale ends its claim and leaves no money to give back', async () => {
    const old = await sale.chain.submitPayment({ from: bob, cents: 50_000_00 })
    await sale.chain.finalize()
    await scan(sale.deps)
    await sale.db.delete(payments).where(eq(payments.transactionHash, old))
    const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    await sale.startSaleAt(Number(timestamp) + 86_400 + 1)
    await sale.post(old)
    expect(await sale.verify(old)).toMatchObject({ status: 'rejected', reason: 'early', nextAttemptAt: null })
    expect(await sale.report(old)).toMatchObject({ status: 'rejected', reason: 'early', payments: [] })
    expect(await sale.db.select().from(payments).where(eq(payments.transactionHash, old))).toEqual([])
  })
})
