import { expect, test } from 'vitest'
import { getScanCursor, type ScanCursor } from '../../db/event/scan-cursor.ts'
import { payments, scanCursor } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { refoldAfterReorg, refoldFromMissedPayment } from './refold.ts'
import { scan } from './scan.ts'

const sale = forEachTest(() => openSale({ history: false }))
const nodes = forEachTest(() => {
  const both = [hookRpc(sale.chain.url), hookRpc(sale.chain.url)]
  return { both, close: () => Promise.all(both.map((node) => node.stop())) }
})

test.each([
  [1, 'RPC_UNAVAILABLE'],
  [2, 'HISTORY_MISSING'],
])('the block before a hole is missing on %i of two nodes: no payment is taken back', async (count, code) => {
  const deps = sale.depsOn(...nodes.both.map(({ url }) => url))
  for (const buyer of [0, 1]) {
    await sale.chain.submitPayment({ from: sale.chain.buyers[buyer] as never, cents: 9_00 })
    await sale.chain.mine()
  }
  await sale.chain.finalize()
  await scan(deps)
  const recorded = await sale.db.select().from(payments).orderBy(payments.blockNumber)
  expect(recorded).toHaveLength(2)
  const hole = recorded.at(-1)?.blockNumber as bigint
  for (const node of nodes.both.slice(0, count))
    node.hook = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && params[0] === `0x${(hole - 1n).toString(16)}` ? null : result
  expect(await codeOf(refoldFromMissedPayment(deps, hole))).toBe(code)
  expect(await sale.db.select().from(payments)).toHaveLength(2)
})

test('a last payment older than any reorg is not asked for: the scan goes on though its block is forgotten', async () => {
  const deps = sale.depsOn(...nodes.both.map(({ url }) => url))
  await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 9_00 })
  await sale.chain.finalize()
  await scan(deps)
  await sale.chain.mine(10_100)
  // As if the scan had followed, and its last block was replaced.
  const height = (await sale.chain.height()) - 5n
  await sale.db.update(scanCursor).set({ height, hash: `0x${'ab'.repeat(32)}` })
  for (const node of nodes.both)
    node.hook = ({ method, params }, result) =>
      method === 'eth_getBlockByNumber' && Number(params[0]) < 50 ? null : result
  await refoldAfterReorg(deps, (await getScanCursor(sale.db)) as ScanCursor)
  expect(await sale.db.select().from(payments)).toHaveLength(1)
  expect((await getScanCursor(sale.db))?.height).toBe(height - 10_000n)
})
