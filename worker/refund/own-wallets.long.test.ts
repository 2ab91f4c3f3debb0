import { asc, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { watchWallet } from '../../db/event/events.ts'
import { refundFacts } from '../../db/refund/totals.ts'
import { events, operatorWallets, payments } from '../../db/schema/index.ts'
import { refundsOf } from '../../e2e/lab/draw-refunds.ts'
import { openDrawWorld } from '../../e2e/lab/draw-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { withOtherPast } from '../../e2e/lab/other-past.ts'
import { mintData, transferData } from '../../e2e/lab/usdt.ts'

/** The wallet of account 0 sold first; that of account 9 sells now. */
const [former, present] = [0, 9]
const world = forEachTest(openDrawWorld)
let refunds: ReturnType<typeof refundsOf>

beforeEach(async () => {
  // The story's sale has ended by the clock of the database, which locks its wallet.
  await watchWallet(world.db, walletOf(present))
  await withOtherPast(world.db, (tx) => tx.update(events).set({ operatorWallet: walletOf(present) }))
  await world.db.update(operatorWallets).set({ since: new Date((world.start - 1) * 1000) })
  // Before the sale, so that no payment is made of it.
  await world.send(1, mintData(walletOf(former), unitsOf(100_00)))
  refunds = refundsOf(world, present)
})

const walletOf = (index: number) => (world.accounts[index] as Address).toLowerCase() as Address
/** As after a signature, at this second of the story. */
function prove(index: number, second: number) {
  const since = new Date((world.start + second) * 1000)
  return world.db
    .update(operatorWallets)
    .set({ ownSince: since, provenSince: since })
    .where(eq(operatorWallets.address, walletOf(index)))
}
async function pay(from: number, to: number, cents: number, second: number): Promise<void> {
  await world.mineAt(second)
  await world.send(from, transferData(walletOf(to), unitsOf(cents)))
}
const reasons = async () =>
  (await world.db.select().from(payments).orderBy(asc(payments.blockNumber))).map(
    ({ reason, ticketCount }) => reason ?? ticketCount,
  )
const owed = async () => (await refundFacts(world.db, { kind: 'leftover', eventNumber: 1 })).totalAmount

test('money moved between own wallets buys no ticket and makes no debt', async () => {
  await prove(former, 0)
  await pay(4, former, 30_00, 10)
  await pay(former, present, 30_00, 20)
  await prove(present, 25)
  await pay(present, former, 6_00, 30)
  await refunds.settle()
  expect(await reasons()).toEqual(['old_wallet', 'held', 'held'])
  expect(await owed()).toBe(30_00)
  expect((await world.event()).ticketsSold).toBe(0)
})

test('a wallet buys tickets until it is shown to be ours, and keeps them', async () => {
  await pay(former, present, 30_00, 10)
  await prove(former, 20)
  await pay(former, present, 30_00, 20)
  await refunds.settle()
  expect(await reasons()).toEqual([10, 'held'])
})

test('a refund to a wallet that was once ours settles, and makes no new debt', async () => {
  await pay(former, present, 2_00, 10)
  await prove(present, 11)
  await refunds.settle()
  await refunds.prepare('leftover')
  expect(await refunds.send('leftover')).toMatchObject([{ to: walletOf(former) }])
  expect(await refunds.states('leftover')).toEqual([[2_00, 'settled', 0]])
  await refunds.prepare('leftover').catch(() => undefined)
  expect(await refunds.send('leftover')).toEqual([])
  expect(await reasons()).toEqual(['underpaid', 'held'])
  expect(await owed()).toBe(2_00)
})
