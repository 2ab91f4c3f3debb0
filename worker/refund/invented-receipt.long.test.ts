import { afterEach, beforeEach, expect, test } from 'vitest'
import { listRefundRows } from '../../db/refund/list.ts'
import { noteSent } from '../../db/refund/reports.ts'
import { refundsOf } from '../../e2e/lab/draw-refunds.ts'
import { type DrawWorld, openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { rpc } from '../../infra/local/rpc.ts'
import { connectChain } from '../chain/index.ts'
import { watchRefunds } from './watch.ts'

let world: DrawWorld
let nodes: HookRpc[]

beforeEach(async () => {
  world = await openDrawWorld()
  nodes = [1, 2, 3].map(() => hookRpc(world.url))
})
afterEach(async () => {
  await Promise.all(nodes.map(({ stop }) => stop()))
  await world.close()
})

const states = async () =>
  (await listRefundRows(world.db, { kind: 'leftover', eventNumber: 1 })).map(({ row }) => row.state)

test.each([2, 3])(
  'of %i endpoints one invents that a sent refund is mined and paid nothing: it is not offered again until two say so',
  async (count) => {
    const asked = nodes.slice(0, count)
    const urls = asked.map(({ url }) => url)
    const paid = await world.pay(1, 2_00, 10)
    const refunds = refundsOf(world)
    await refunds.settle()
    await refunds.prepare('leftover')
    const [prepared] = await listRefundRows(world.db, { kind: 'leftover', eventNumber: 1 })
    const id = prepared?.row.id as number
    // Reported without an offer, so no nonce bounds it: its receipt alone can end it.
    const sent = `0x${'5e'.repeat(32)}` as const
    await world.db.transaction((tx) => noteSent(tx, [id], sent))
    const receipt = await rpc<object>(world.url, 'eth_getTransactionReceipt', [paid])
    const invent: HookRpc['hook'] = ({ method, params }, result) =>
      method === 'eth_getTransactionReceipt' && params[0] === sent
        ? { ...receipt, transactionHash: sent, logs: [] }
        : result
    for (const liar of asked) {
      for (const node of nodes) node.hook = (_, result) => result
      liar.hook = invent
      await watchRefunds({ ...world.deps, chain: connectChain(urls, 56) })
      expect(await states()).toEqual(['sent'])
    }
    for (const node of asked.slice(0, 2)) node.hook = invent
    await watchRefunds({ ...world.deps, chain: connectChain(urls, 56) })
    expect(await states()).toEqual(['failed'])
  },
)
