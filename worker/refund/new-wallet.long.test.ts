import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { updateEvent } from '../../db/event/update.ts'
import { getWatchCursor } from '../../db/refund/watch.ts'
import { expectWatched } from '../../db/refund/watched.ts'
import { operatorTransfers } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { watchRefunds } from './watch.ts'

const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }
const sale = forEachTest(openSale)
const node = forEachTest(() => hookRpc(sale.chain.url))

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

/** Blocks below this one are unknown to the node. */
function forgetBelow(frontier: bigint): void {
  node.hook = ({ method, params }, result) =>
    method === 'eth_getBlockByNumber' && Number(params[0]) < Number(frontier) ? null : result
}

test('a new wallet that sent before the blocks which the endpoints keep stops no refund, once they have said so twice', async () => {
  const deps = sale.depsOn(node.url)
  const wallet = await pay()
  await sale.chain.mine(20)
  await pay()
  await sale.chain.finalize()
  await watchRefunds(deps)
  await replaceWallet(wallet)
  forgetBelow((await sale.chain.height()) - 15n)
  await watchRefunds(deps)
  expect(await codeOf(expectWatched(sale.db))).toBe('RPC_UNAVAILABLE')
  await sale.chain.mine(64)
  expect(await codeOf(watchRefunds(deps))).toBeUndefined()
  expect(await sent()).toEqual([wallet])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})

test('blocks that the endpoints do not show for a moment are not given up: what a new wallet sent in them is read', async () => {
  const deps = sale.depsOn(node.url)
  const wallet = await pay()
  await sale.chain.mine(20)
  await sale.chain.finalize()
  await watchRefunds(deps)
  await replaceWallet(wallet)
  forgetBelow((await sale.chain.height()) - 10n)
  await watchRefunds(deps)
  node.hook = (_, result) => result
  await sale.chain.mine(64)
  await watchRefunds(deps)
  expect(await sent()).toEqual([wallet])
  expect(await codeOf(expectWatched(sale.db))).toBeUndefined()
})
