import type { Address } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { updateEvent } from '../../db/event/update.ts'
import { expectWatched } from '../../db/refund/offers.ts'
import { getWatchCursor } from '../../db/refund/watch.ts'
import { operatorTransfers } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { keptBlocks, type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { watchRefunds } from './watch.ts'

const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }
let sale: Sale
let proxy: RpcProxy
beforeEach(async () => {
  sale = await openSale()
  proxy = await startRpcProxy(sale.chain.url)
})
afterEach(async () => {
  await proxy.stop()
  await sale.close()
})

const replaceWallet = (wallet: Address) => updateEvent(sale.db, { operatorWallet: wallet }, rules)
const sent = async () => (await sale.db.select().from(operatorTransfers)).map((t) => t.wallet)
/** A transfer of the wallet that is named later; it goes to the present one. */
async function pay(): Promise<Address> {
  const buyer = sale.chain.buyers[0] as Address
  await sale.chain.submitPayment({ from: buyer, cents: 3_00 })
  await sale.chain.mine()
  return buyer.toLowerCase() as Address
}

test('what a new wallet has sent since the first sale start is read apart, and offers wait for it alone', async () => {
  const deps = sale.depsOn(sale.chain.url)
  const wallet = await pay()
  await sale.chain.finalize()
  await watchRefunds(deps)
  const before = await getWatchCursor(sale.db)
  await replaceWallet(wallet)
  expect(await getWatchCursor(sale.db)).toEqual(before)
  expect(await codeOf(expectWatched(sale.db))).toBe('RPC_UNAVAILABLE')
  await watchRefunds(deps)
  expect(await sent()).toEqual([wallet])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})

test('a new wallet that sent before the blocks which the endpoints keep stops no refund', async () => {
  const deps = sale.depsOn(proxy.url)
  const wallet = await pay()
  await watchRefunds(deps)
  for (let i = 0; i < 6; i++) {
    if (i === 5) await pay()
    await sale.chain.mine(keptBlocks / 2)
    proxy.set('pruned-null')
    await watchRefunds(deps)
  }
  await replaceWallet(wallet)
  expect(await codeOf(watchRefunds(deps))).toBeUndefined()
  expect(await sent()).toEqual([wallet])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})
