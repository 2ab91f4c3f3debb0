import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { expect, test } from 'vitest'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { noteSent } from '../../db/refund/reports.ts'
import { refundRows } from '../../db/schema/index.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { prepareRefunds } from './prepare.ts'
import { watchRefunds } from './watch.ts'

const wallet = operatorAccount.toLowerCase() as Address
const scope = { kind: 'leftover', eventNumber: 1 } as const
const world = forEachTest(openDrawWorld)
const one = forEachTest(async () => hookRpc(world.url))
const two = forEachTest(async () => hookRpc(world.url))

/** A payer is owed 2.00. */
async function prepared(deps: Deps): Promise<number[]> {
  await world.pay(1, 2_00, 10)
  await world.mine(3)
  await world.scan()
  await watchRefunds(deps)
  await world.db.transaction((tx) => writeBatch(tx, { ...scope, minUnits: 0n }))
  await prepareRefunds({ ...deps, refundMinUnits: 0n }, {})
  return (await listRefundRows(world.db, scope)).map(({ row }) => row.id)
}
/** A wallet was asked to pay it. */
async function offered(deps: Deps) {
  const ids = await prepared(deps)
  const nonce = Number(await rpc<string>(world.url, 'eth_getTransactionCount', [wallet, 'pending']))
  const [row] = await world.db.transaction((tx) => offerRefunds(tx, { ids, wallet, nonce, transactions: 1 }))
  return row as NonNullable<typeof row>
}
/** What these nodes tell of a transaction's logs: nothing. */
function hide(hash: Hash): void {
  const isOther = (item: { transactionHash: string }) => item.transactionHash !== hash
  for (const node of [one, two])
    node.hook = ({ method }, result) => {
      if (method === 'eth_getLogs') return (result as { transactionHash: string }[]).filter(isOther)
      if (method !== 'eth_getBlockReceipts') return result
      return (result as { transactionHash: string }[]).map((receipt) =>
        isOther(receipt) ? receipt : { ...receipt, logs: [] },
      )
    }
}
const showAll = () => {
  for (const node of [one, two]) node.hook = (_, result) => result
}
const leave = () =>
  world.db.execute(sql`update refund_rows set offered_at = offered_at - interval '2 minutes'`)
const state = async () => (await listRefundRows(world.db, scope)).map(({ row }) => row.state)

test.each([1, 2])(
  'a payment that %i endpoints told nothing of at first keeps its row from being offered again',
  async (count) => {
    const deps = {
      ...world.deps,
      chain: connectChain(
        [one, two].slice(0, count).map(({ url }) => url),
        56,
      ),
    }
    const { to, units } = await offered(deps)
    const hash = await world.send(0, transferData(to, BigInt(units)))
    await world.mine(3)
    hide(hash)
    await watchRefunds(deps)
    expect(await state()).toEqual(['offered'])
    showAll()
    await leave()
    await watchRefunds(deps)
    expect(await state()).toEqual(['offered'])
  },
)

test('a row is free again once a second reading has shown no payment either', async () => {
  const deps = { ...world.deps, chain: connectChain([one.url, two.url], 56) }
  await offered(deps)
  await world.send(0, '0x', wallet)
  await world.mine(3)
  await leave()
  await watchRefunds(deps)
  expect(await state()).toEqual(['failed'])
})

test('a row whose second reading cannot be made waits', async () => {
  const deps = { ...world.deps, chain: connectChain([one.url, two.url], 56) }
  await offered(deps)
  // Its block holds a transfer of the wallet, so that header and filter alone do not answer.
  await world.send(0, transferData(world.accounts[5] as Address, 1n))
  await world.mine(3)
  await watchRefunds(deps)
  for (const node of [one, two])
    node.hook = ({ method }, result) => {
      if (method === 'eth_getLogs' || method === 'eth_getBlockReceipts')
        throw { code: -32603, message: 'busy' }
      return result
    }
  await leave()
  await watchRefunds(deps)
  expect(await state()).toEqual(['offered'])
  showAll()
  await world.mine(64)
  await watchRefunds(deps)
  expect(await state()).toEqual(['failed'])
})

test('a refund that was sent without an offer ends by its own transaction, with no second reading of the past', async () => {
  let readings = 0
  const readAgain: Deps['chain']['readAgain'] = (...asked) => {
    readings++
    return world.deps.chain.readAgain(...asked)
  }
  const deps = { ...world.deps, chain: { ...world.deps.chain, readAgain } }
  const ids = await prepared(deps)
  const hash = await world.send(0, transferData(world.accounts[1] as Address, 2n * 10n ** 18n))
  await world.db.transaction((tx) => noteSent(tx, ids, hash))
  await world.mine(3)
  await leave()
  await watchRefunds(deps)
  expect(await state()).toEqual(['settled'])
  expect(await world.db.select({ offeredAt: refundRows.offeredAt }).from(refundRows)).toEqual([
    { offeredAt: null },
  ])
  expect(readings).toBe(0)
})
