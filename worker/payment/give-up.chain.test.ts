import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { readClock } from '../../db/index.ts'
import { dueClaims, getClaim } from '../../db/payment/claims.ts'
import { claims } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { invented, openSale, type Sale } from '../../e2e/lab/sale.ts'
import { scan } from './scan.ts'
import { waitedMs } from './verify.ts'

const sale = await forFile(openSale())
const proxy = await forFile(startRpcProxy(sale.chain.url))
const [, bob] = sale.chain.buyers

beforeEach(async () => {
  proxy.set()
  await sale.db.delete(claims)
})

describe('P7: a transaction that does not come', () => {
  /** Looks again and again, as the sweeper does in 15 minutes; the waits the row asked for are summed, at least and at most. */
  async function lookUntil(hash: Hash, test: (claim: Awaited<ReturnType<Sale['claim']>>) => boolean) {
    const waited = { least: 0, most: 0 }
    for (let n = 0; n < 60; n++) {
      const before = await readClock(sale.db)
      const claim = await sale.verify(hash)
      if (test(claim)) return { claim, waited }
      const next = (claim?.nextAttemptAt?.getTime() ?? Number.NaN) / 1000
      waited.least += next - (await readClock(sale.db))
      waited.most += next - before
      await sale.chain.mine()
    }
    throw new Error('It never came to that.')
  }

  test('is called not found after 15 minutes of null, not earlier, and can be posted again', async () => {
    const hash = invented(1)
    await sale.post(hash, '192.0.2.1')
    const { claim, waited } = await lookUntil(hash, (c) => c?.status === 'not_found')
    expect(waited.most).toBeGreaterThan(14.9 * 60)
    expect(waited.least).toBeLessThan(18 * 60)
    expect(claim).toMatchObject({ nextAttemptAt: null, clientAddress: null })
    const { isNew } = await sale.post(hash, '192.0.2.2')
    expect({ isNew, ...(await getClaim(sale.db, hash)) }).toMatchObject({
      isNew: false,
      status: 'received',
      attempts: 0,
      clientAddress: '192.0.2.2',
    })
    expect(await dueClaims(sale.db, 10)).toEqual([hash])
  })

  test('is not given up while some node still holds it, and counts from zero after it was dropped', async () => {
    const hash = await sale.chain.submitPayment({ from: bob, cents: 3_00 })
    await sale.post(hash)
    await sale.db.update(claims).set({ attempts: 40 })
    expect(await sale.verify(hash)).toMatchObject({ status: 'received', attempts: 0 })
    await sale.chain.drop(hash)
    const { waited } = await lookUntil(hash, (c) => c?.status === 'not_found')
    expect(waited.most).toBeGreaterThan(14.9 * 60)
  })

  test('and was replaced: the one that was mined is credited, the other one is not found', async () => {
    const nonce = Number(await sale.chain.rpc('eth_getTransactionCount', [bob, 'latest']))
    const first = await sale.chain.submitPayment({ from: bob, cents: 3_00, nonce })
    await sale.post(first)
    await sale.verify(first)
    await sale.chain.drop(first)
    const second = await sale.chain.submitPayment({ from: bob, cents: 6_00, nonce })
    await sale.post(second)
    await sale.chain.finalize()
    await scan(sale.deps)
    expect(await sale.claim(second)).toMatchObject({ status: 'credited' })
    await lookUntil(first, (c) => c?.status === 'not_found')
  })

  test('Q7: an outage, of all endpoints or of one, uses up none of its time', async () => {
    const hash = invented(2)
    await sale.post(hash)
    proxy.set('down')
    const dead = sale.depsOn(proxy.url)
    for (let n = 0; n < 30; n++) expect(await codeOf(sale.verify(hash, dead))).toBe('RPC_UNAVAILABLE')
    expect(await sale.claim(hash)).toMatchObject({ status: 'received', attempts: 0 })
    // The row is due again within 5 s of the endpoint's return.
    const [row] = await sale.db.execute<{ seconds: number }>(
      sql`select extract(epoch from next_attempt_at - now())::float8 as seconds from claims`,
    )
    expect(row?.seconds).toBeLessThan(5)
  })

  test('counts only nulls of every configured endpoint', async () => {
    const hash = invented(3)
    await sale.post(hash)
    const deps = sale.depsOn(sale.chain.url, proxy.url, sale.chain.url)
    proxy.set('http-500')
    for (let n = 0; n < 3; n++)
      expect(await sale.verify(hash, deps)).toMatchObject({ status: 'received', attempts: 0 })
    const healthy = sale.depsOn(sale.chain.url, proxy.url)
    proxy.set()
    expect(await sale.verify(hash, healthy)).toMatchObject({ status: 'received', attempts: 1 })
  })

  test('waits longer and longer, a minute at most', () => {
    expect([1, 2, 3, 7, 8].map(waitedMs)).toEqual([1_000, 3_000, 7_000, 123_000, 183_000])
  })
})
