import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { watchWallet } from '../../db/event/events.ts'
import { openMoney, told } from '../../e2e/lab/money.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'

const money = forEachTest(openMoney)
const buyer = (n: number) => money.chain.buyers[n] as Address
/** The past cannot be changed but by a test. */
const remember = (query: ReturnType<typeof sql>) => withOtherPast(money.db, (tx) => tx.execute(query))

test('a refund wallet beside a sale wallet that has not signed: nobody knows what is held, and nothing is called short', async () => {
  await money.addRefundWallet(buyer(4))
  await remember(sql`update operator_wallets set proven_since = null where role = 'sale'`)
  // The refund wallet holds nothing.
  await money.chain.submitPayment({ from: buyer(4), to: buyer(5), cents: 1_000_000_00 })
  await money.settle()
  await money.pay(9_00)
  expect((await money.settle()).state).toBe('unknown')
})

test('who holds the key of a wallet that was named once and never signed cannot make the page say short by money of his own', async () => {
  await watchWallet(money.db, buyer(4))
  await money.asOfOld(buyer(4))
  await remember(
    sql`update operator_wallets set proven_since = null, own_since = null where address = ${buyer(4)}`,
  )
  await money.settle()
  for (let round = 0; round < 3; round++) {
    await money.chain.submitPayment({ from: buyer(5), to: buyer(4), cents: 500_00 })
    await money.settle()
    await money.chain.submitPayment({ from: buyer(4), to: buyer(3), cents: 500_00 })
    await money.settle()
  }
  expect((await money.now()).state).toBe('covered')
})

test('what lies in a wallet whose key is lost covers nothing', async () => {
  await money.settle()
  await money.pay(9_00)
  expect((await money.settle()).state).toBe('covered')
  await remember(sql`update operator_wallets set lost_at = now()`)
  await money.pay(9_00)
  expect(await money.settle()).toMatchObject({ state: 'unknown', held: '0', wallets: [] })
})

test('what it owes without a ticket is owed on, and what comes to it after that is not: a thief may pay himself', async () => {
  await money.addRefundWallet(buyer(4))
  await money.settle()
  await money.pay(1_00)
  expect((await money.settle()).owed.leftovers).toBe(told(1_00))
  // A moment between two blocks, whatever the database's clock says.
  await remember(sql`update operator_wallets set lost_at = (select max(block_time) - interval '59.5 seconds' from payments)
    where role = 'sale'`)
  await money.minuteLater()
  expect(await money.settle()).toMatchObject({ owed: { leftovers: told(1_00) }, required: told(1_00) })
  await money.chain.rpc('evm_increaseTime', [5])
  await money.pay(2_00, { from: buyer(5) })
  expect((await money.settle()).owed.leftovers).toBe(told(1_00))
})
