import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'

const sale = await forFile(openSale())
const proxy = await forFile(startRpcProxy(sale.chain.url))

beforeEach(() => proxy.set())

const credited = async (): Promise<number> => {
  const [row] = await sale.db.select({ n: sql<number>`count(ticket_number)::int` }).from(payments)
  return row?.n ?? 0
}

/** The worker's timer: a scan that fails is tried again 400 ms later. */
const tick = (deps: Deps) => Promise.all([codeOf(scan(deps)), Bun.sleep(400)])

const cases: [RpcFault, number][] = [
  ['limit-429-for-three-of-ten', 1],
  ['limit-429-for-three-of-ten', 2],
  ['limit-429', 2],
  ['limit-200', 1],
]

test.each(cases)(
  '%s for some seconds while payments come, %i endpoints: each is credited soon after it',
  async (fault, count) => {
    const deps = sale.depsOn(...[proxy.url, sale.chain.url].slice(0, count))
    await sale.chain.finalize()
    await tick(deps)
    const before = await credited()
    proxy.set(fault)
    for (let n = 0; n < 12; n++) {
      await sale.chain.submitPayment({ from: sale.chain.buyers[0], cents: 3_00 })
      await sale.chain.mine()
      await tick(deps)
      expect(deps.chain.health().endpoints[0]?.logs).toBe('ranges')
    }
    await sale.chain.finalize()
    expect(proxy.requests()).toBeLessThan(150)
    proxy.set()
    const began = performance.now()
    while ((await credited()) < before + 12 && performance.now() - began < 20_000) await tick(deps)
    expect(await credited()).toBe(before + 12)
  },
)
