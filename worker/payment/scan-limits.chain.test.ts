import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { payments } from '../../db/schema/index.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { type HandClock, handClock } from '../../e2e/lab/hand-clock.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import type { RpcFault } from '../../e2e/lab/rpc-faults.ts'
import { startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { connectChain } from '../chain/index.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'

const sale = await forFile(openSale())
const proxy = await forFile(startRpcProxy(sale.chain.url))

let clock: HandClock
beforeEach(() => {
  proxy.set()
  clock = handClock()
})

const credited = async (): Promise<number> => {
  const [row] = await sale.db.select({ n: sql<number>`count(ticket_number)::int` }).from(payments)
  return row?.n ?? 0
}

/** The worker's timer: a scan that fails is tried again 400 ms later. */
const tick = async (deps: Deps) => {
  await codeOf(scan(deps))
  clock.advance(400)
}

const cases: [RpcFault, number][] = [
  ['limit-429-for-three-of-ten', 1],
  ['limit-429-for-three-of-ten', 2],
  ['limit-429', 2],
  ['limit-200', 1],
]

test.each(cases)(
  '%s for some seconds while payments come, %i endpoints: each is credited within five seconds after it',
  async (fault, count) => {
    const urls = [proxy.url, sale.chain.url].slice(0, count)
    const deps = { ...sale.deps, chain: connectChain(urls, 56, { ...clock }), clock }
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
    const end = clock.now() + 5_000
    while ((await credited()) < before + 12 && clock.now() < end) await tick(deps)
    expect(await credited()).toBe(before + 12)
  },
)
