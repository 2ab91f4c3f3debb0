import { beforeEach, expect, test } from 'vitest'
import { getScanCursor } from '../../db/event/sale.ts'
import { payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { type HookRpc, hookRpc } from '../../e2e/lab/hook-rpc.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import { scan } from './scan.ts'

type Buyer = Sale['chain']['buyers'][number]

/** Four payments, one in every step of a catch-up, and the blocks near the head behind them. */
async function openBehind(): Promise<Sale & { paid: string[]; node: HookRpc }> {
  const sale = await openSale({ history: false })
  const paid: string[] = []
  for (let n = 0; n < 4; n++) {
    paid.push(await sale.chain.submitPayment({ from: sale.chain.buyers[n % 3] as Buyer, cents: 3_00 }))
    await sale.chain.mine(1_000)
  }
  await sale.chain.mine(2_000)
  return { ...sale, paid, node: hookRpc(sale.chain.url) }
}

let sale: Awaited<ReturnType<typeof openBehind>>
beforeEach(async () => {
  sale = await openBehind()
  return async () => {
    await sale.node.stop()
    await sale.close()
  }
})

const credited = () =>
  sale.db
    .select({ hash: payments.transactionHash, ticket: payments.ticketNumber })
    .from(payments)
    .orderBy(payments.ticketNumber)
const all = () => sale.paid.map((hash, index) => ({ hash, ticket: index + 1 }))
const height = async () => Number((await getScanCursor(sale.db))?.height ?? 0n)

type Logs = { blockNumber: string }[]
const isOfStep = (params: unknown[], step: number) => {
  const { fromBlock } = params[0] as { fromBlock?: string }
  return fromBlock !== undefined && Math.floor(Number(fromBlock) / 1_000) === step
}

test('a lie about a step that is read ahead is settled by receipts, and without any stops the scan before that step', async () => {
  const { node } = sale
  node.hook = ({ method, params }, result) =>
    method === 'eth_getLogs' && isOfStep(params, 2)
      ? (result as Logs).slice(1)
      : method === 'eth_getBlockByNumber'
        ? { ...(result as object), receiptsRoot: `0x${'ab'.repeat(32)}` }
        : result
  const deps = sale.depsOn(sale.chain.url, node.url)
  expect(await codeOf(scan(deps))).toBe('RPC_DISAGREE')
  expect(await height()).toBeLessThan(3_000)
  const told = await credited()
  expect(told).toEqual(all().slice(0, told.length))
  expect(told.length).toBeGreaterThan(0)
  node.hook = ({ method, params }, result) =>
    method === 'eth_getLogs' && isOfStep(params, 2) ? (result as Logs).slice(1) : result
  await scan(deps)
  expect(await credited()).toEqual(all())
})
