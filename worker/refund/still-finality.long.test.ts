import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { writeBatch } from '../../db/refund/batch.ts'
import { listRefundRows } from '../../db/refund/list.ts'
import { offerRefunds } from '../../db/refund/offers.ts'
import { mine } from '../../e2e/lab/chain-verbs.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { fullNode } from '../../e2e/lab/still-finality.ts'
import { operatorAccount } from '../../infra/local/chain.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { prepareRefunds } from './prepare.ts'
import { watchRefunds } from './watch.ts'

const wallet = operatorAccount.toLowerCase() as Address
const world = forEachTest(openDrawWorld)
const one = forEachTest(async () => fullNode(world.url))
const two = forEachTest(async () => fullNode(world.url))
let deps: Deps
let clock: number

beforeEach(async () => {
  clock = 0
  deps = { ...world.deps, chain: connectChain([one.url, two.url], 56, { now: () => clock }) }
  await world.pay(1, 2_00, 10)
  await world.pay(2, 2_00, 20)
  await world.mine(3)
  await world.scan()
  await watchRefunds(deps)
  await world.db.transaction((tx) => writeBatch(tx, { kind: 'leftover', eventNumber: 1, minUnits: 0n }))
})

/** The chain goes on for minutes in which no new block is called final. */
async function standStill(): Promise<void> {
  await Promise.all([one.freeze(), two.freeze()])
  await deps.chain.finalized()
  await mine(world.url, 300, 1)
  clock += 61_000
}
const rows = () => listRefundRows(world.db, { kind: 'leftover', eventNumber: 1 })
const states = async () => (await rows()).map(({ row }) => row.state)
const offer = async (index: number) => {
  const id = (await rows())[index]?.row.id as number
  const nonce = Number(await rpc<string>(world.url, 'eth_getTransactionCount', [wallet, 'pending']))
  return world.db.transaction((tx) => offerRefunds(tx, { ids: [id], wallet, nonce, transactions: 1 }))
}
const spend = () => world.send(0, '0x', wallet)
const leave = () => world.db.execute("update refund_rows set offered_at = offered_at - interval '2 minutes'")

test('while finality stands still payers are looked up and rows are offered, though old state is gone', async () => {
  await standStill()
  await watchRefunds(deps)
  await prepareRefunds({ ...deps, refundMinUnits: 0n }, {})
  expect((await rows()).map(({ row }) => row.reason)).toEqual([null, null])
  expect(await offer(0)).toHaveLength(1)
})

test('while finality stands still no row is freed by nonces that are used near the head alone', async () => {
  await prepareRefunds({ ...deps, refundMinUnits: 0n }, {})
  await offer(0)
  await spend()
  await leave()
  await standStill()
  await watchRefunds(deps)
  expect(await states()).toEqual(['offered', 'planned'])
  one.thaw()
  two.thaw()
  await watchRefunds(deps)
  expect(await states()).toEqual(['failed', 'planned'])
})
