import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicState } from '../../core/state.ts'
import { loadPublicFacts } from '../../db/event/public.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { until } from '../../e2e/lab/until.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'
import { verifyPayment } from './verify.ts'

let sale: Sale
let a: RpcProxy
let b: RpcProxy
let deps: Deps

beforeAll(async () => {
  sale = await openSale()
  ;[a, b] = await Promise.all([startRpcProxy(sale.chain.url), startRpcProxy(sale.chain.url)])
  deps = sale.depsOn(a.url, b.url)
})
afterAll(async () => {
  await Promise.all([a.stop(), b.stop()])
  await sale.close()
})

/** What every visitor is told. */
async function told() {
  const { facts, now } = (await loadPublicFacts(sale.db)) ?? {}
  if (!facts || !now) throw new Error('no event')
  const { version, config } = publicState(facts, now, false)
  return { version, waitsForNode: config.waitsForNode, salesPaused: config.salesPaused }
}
/** An endpoint that failed rests for a moment before it is asked again. */
const recovered = () =>
  until(() =>
    scan(deps).then(
      () => true,
      () => false,
    ),
  )
const earlier = (seconds: number) =>
  sale.db.execute(sql`update node_watch set agreed_at = agreed_at - ${`${seconds} seconds`}::interval,
    waiting_since = waiting_since - ${`${seconds} seconds`}::interval`)

test('payments wait for a second node, after ten minutes sales pause, and both end with its first answer', async () => {
  await scan(deps)
  const before = await told()
  expect(before).toMatchObject({ waitsForNode: false, salesPaused: false })

  // One failed question is no news.
  b.set('down')
  expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  expect(await told()).toEqual(before)

  await earlier(6)
  for (let run = 0; run < 3; run++) expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  const waiting = await told()
  expect(waiting).toMatchObject({ waitsForNode: true, salesPaused: false })
  expect(waiting.version).toBe(before.version + 16)

  // A buyer sees the payment that one node shows, and it counts for nothing yet.
  const hash = await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 9_00 })
  await sale.chain.finalize()
  await sale.post(hash)
  await verifyPayment(deps, { hashes: [hash] })
  expect(await sale.report(hash)).toMatchObject({
    status: 'confirming',
    payments: [{ amount: 900, ticketNumber: null }],
  })

  await earlier(601)
  for (let run = 0; run < 3; run++) expect(await codeOf(scan(deps))).toBe('RPC_UNAVAILABLE')
  expect(await told()).toEqual({ version: waiting.version + 16, waitsForNode: true, salesPaused: true })

  b.set()
  await recovered()
  const after = await told()
  expect(after).toMatchObject({ waitsForNode: false, salesPaused: false })
  expect(after.version).toBeGreaterThan(waiting.version + 16)
  expect(await sale.report(hash)).toMatchObject({ status: 'credited', payments: [{ ticketCount: 3 }] })
})

test('two nodes that differ are no two nodes', async () => {
  await recovered()
  await earlier(6)
  b.set('other-block-hash')
  expect(await codeOf(scan(deps))).toBe('RPC_DISAGREE')
  expect(await told()).toMatchObject({ waitsForNode: true })
  b.set()
  await recovered()
  expect(await told()).toMatchObject({ waitsForNode: false })
})

test('two nodes of which one stands still are no two nodes, where a clock tells', async () => {
  await recovered()
  const { timestamp } = await sale.chain.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  for (const [age, waitsForNode] of [
    [30, false],
    [90, true],
  ] as const) {
    const chain = connectChain([a.url, b.url], 56, { clock: async () => Number(timestamp) + age })
    await chain.latest()
    await earlier(6)
    await scan({ ...deps, chain })
    expect(await told()).toMatchObject({ waitsForNode })
  }
  await recovered()
  expect(await told()).toMatchObject({ waitsForNode: false })
})
