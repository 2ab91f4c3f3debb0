import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { updateEvent } from '../../db/event/update.ts'
import { events, operatorWallets, payments } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { keptBlocks, type RpcProxy, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale, type Sale } from '../../e2e/lab/sale.ts'
import type { Deps } from '../deps.ts'
import { scan } from './scan.ts'

const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }
let sale: Sale
let proxy: RpcProxy
let deps: Deps
beforeEach(async () => {
  sale = await openSale()
  proxy = await startRpcProxy(sale.chain.url)
  deps = sale.depsOn(proxy.url)
})
afterEach(async () => {
  await proxy.stop()
  await sale.close()
})

async function pay(cents: number): Promise<void> {
  await sale.chain.submitPayment({ from: sale.chain.buyers[0] as Address, cents })
  await sale.chain.mine()
  await sale.chain.finalize()
}
/** The sale has been open for four days, which the scan has followed, and nodes keep three. */
async function afterFourDays(): Promise<void> {
  await scan(deps)
  for (let i = 0; i < 6; i++) {
    await sale.chain.mine(keptBlocks / 2)
    proxy.set('pruned-null')
    await scan(deps)
  }
  await withOtherPast(sale.db, async (tx) => {
    await tx.execute(sql`update events set sale_start = now() - interval '4 days'`)
    await tx.execute(sql`update operator_wallets set since = now() - interval '4 days'`)
  })
}
const recorded = async () =>
  (await sale.db.select().from(payments).orderBy(payments.blockNumber)).map((p) => p.reason ?? p.ticketCount)

test('the first wallet, typed in days after the installation, starts the sale then, and its payments get tickets', async () => {
  await withOtherPast(sale.db, async (tx) => {
    await tx.update(events).set({ operatorWallet: null })
    await tx.delete(operatorWallets)
  })
  await afterFourDays()
  await updateEvent(sale.db, { operatorWallet: operator }, rules)
  const { saleStart } = (await getOpenEvent(sale.db)) ?? {}
  await sale.chain.rpc('evm_setNextBlockTimestamp', [Number(saleStart) / 1000 + 1])
  await pay(30_00)
  expect(await codeOf(scan(deps))).toBeUndefined()
  expect(await recorded()).toEqual([10])
})

test('another wallet days after the sale start loses no money: it stays owed, also what came before the new start', async () => {
  await pay(2_00)
  await afterFourDays()
  await pay(4_00)
  await updateEvent(sale.db, { operatorWallet: `0x${'b0'.repeat(20)}` }, rules)
  expect(await codeOf(scan(deps))).toBeUndefined()
  expect(await recorded()).toEqual(['underpaid', 'late'])
})
