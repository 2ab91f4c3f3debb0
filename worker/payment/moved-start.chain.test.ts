import { sql } from 'drizzle-orm'
import pino from 'pino'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { parseEnv } from '../../core/server/env.ts'
import { getOpenEvent } from '../../db/event/events.ts'
import { updateEvent } from '../../db/event/update.ts'
import { refundInfo } from '../../db/refund/dues.ts'
import { events, operatorWallets, payments } from '../../db/schema/index.ts'
import { operator } from '../../e2e/lab/chain.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { keptBlocks, startRpcProxy } from '../../e2e/lab/rpc-proxy.ts'
import { openSale } from '../../e2e/lab/sale.ts'
import { scan } from './scan.ts'
import { verifyPayment } from './verify.ts'

const rules = { terms: { ...parseEnv({}), operatorWallet: operator }, pinnedWallet: undefined }
const sale = forEachTest(openSale)
const proxy = forEachTest(() => startRpcProxy(sale.chain.url))
const deps = forEachTest(() => sale.depsOn(proxy.url))

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

test('anybody may name the transfer that funded the new wallet before its sale began: it is judged once, no alarm, and sales go on', async () => {
  const next = sale.chain.buyers[5] as Address
  await pay(2_00)
  await afterFourDays()
  const hash = await sale.chain.submitPayment({ from: operator, to: next, cents: 1_50 })
  await sale.chain.finalize()
  await scan(deps)
  await updateEvent(sale.db, { operatorWallet: next }, rules)
  await scan(deps)

  const alarms: string[] = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    if (level >= 50) alarms.push(msg)
  }
  await sale.post(hash)
  for (let look = 0; look < 3; look++) {
    await verifyPayment({ ...deps, log: pino({}, { write }) }, { hashes: [hash] })
    await sale.skipWait()
  }
  expect(alarms).toEqual([])
  expect(await sale.claim(hash)).toMatchObject({ status: 'rejected', reason: 'early', nextAttemptAt: null })
  expect(await recorded()).toEqual(['underpaid'])
  expect(await getOpenEvent(sale.db)).toMatchObject({ haltedAt: null })
  expect((await refundInfo(sale.db, 1)).totalAmount).toBe(2_00)
})
