import { afterEach, beforeEach, expect, test } from 'vitest'
import { payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { refoldFromMissedPayment } from './refold.ts'
import { scan } from './scan.ts'

let sale: Sale
let nodes: HookRpc[]
beforeEach(async () => {
  sale = await openSale()
  nodes = [hookRpc(sale.chain.url), hookRpc(sale.chain.url)]
})
afterEach(async () => {
  for (const node of nodes) await node.stop()
  await sale.close()
})

test.each([
  [1, 'RPC_UNAVAILABLE'],
  [2, 'HISTORY_MISSING'],
])('the block before a hole is missing on %i of two nodes: no payment is taken back', async (count, code) => {
  const deps = sale.depsOn(...nodes.map(({ url }) => url))
  for (const buyer of [0, 1]) {
    await sale.chain.submitPayment({ from: sale.chain.buyers[buyer] as never, cents: 9_00 })
    await sale.chain.mine()
  }
  await sale.chain.finalize()
  await scan(deps)
  const recorded = await sale.db.select().from(payments).orderBy(payments.blockNumber)
  expect(recorded).toHaveLength(2)
  const hole = recorded.at(-1)?.blockNumber as bigint
  for (const node of nodes.slice(0, count))
    node.hook = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[0] === `0x${(hole - 1n).toString(16)}` ? null : result
  expect(await codeOf(refoldFromMissedPayment(deps, hole))).toBe(code)
  expect(await sale.db.select().from(payments)).toHaveLength(2)
})
