import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { answerReaddress, askReaddress, releaseRow } from './decisions.ts'
import { offerByRegister } from './offer-register.ts'
import { loseWallet } from './wallets.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
/** A wallet of ours besides the operator's. */
const second: Address = `0x${'2f'.repeat(20)}`

/** Alice pays, the key of the wallet is said to be stolen, and Bob pays to it. */
async function payAfterTheft(): Promise<void> {
  await trail.watchToo(second)
  await trail.pay(alice, 200)
  await trail.db.transaction((tx) => loseWallet(tx, operator))
  // Said as the block of her payment ended, which may be a minute ahead of the database's clock.
  await trail.db.execute(sql`update operator_wallets set lost_at = (select block_time from scan_cursor) - interval '1 minute'
    where address = ${operator}`)
  await trail.pay(bob, 100)
  await trail.prepare('leftover')
}

async function rowOf(payer: Address) {
  const row = (await trail.rows()).find(({ stored }) => stored.payer === payer)
  if (!row) throw new Error(`${payer} has no row`)
  return row.stored
}

/** What the second wallet is offered for the payer, as a call of the register. */
async function unitsFor(payer: Address): Promise<bigint[]> {
  const { id } = await rowOf(payer)
  const asked = { ids: [id], wallet: second, nonce: 0, transactions: 2, validFor: 3_600 }
  const { register } = await trail.db.transaction((tx) => offerByRegister(tx, asked))
  return register?.debtors.map(({ units }) => BigInt(units)) ?? []
}

test('R7 what comes to a wallet after its key was said to be stolen is paid back by no other before somebody has decided', async () => {
  await payAfterTheft()
  expect(await rowOf(alice)).toMatchObject({ hold: null })
  expect(await rowOf(bob)).toMatchObject({ hold: 'lost', releasedAt: null })
  expect([await unitsFor(alice), await unitsFor(bob)]).toEqual([[unitsOf(200)], []])
  const { id } = await rowOf(bob)
  await trail.db.transaction((tx) => releaseRow(tx, id))
  expect(await unitsFor(bob)).toEqual([unitsOf(100)])
})

test('a signature of the payer says where the money goes, and not that it is his to get back', async () => {
  await payAfterTheft()
  const { id: rowId } = await rowOf(bob)
  const recipient = `0x${'e1'.repeat(20)}` as const
  const wish = await askReaddress(trail.db, { rowId, recipient, signature: '0x', waitMs: 60_000 })
  expect(await trail.db.transaction((tx) => answerReaddress(tx, wish, 'personal'))).toBe(true)
  expect(await rowOf(bob)).toMatchObject({ recipient, hold: 'lost', releasedAt: null })
  expect(await unitsFor(bob)).toEqual([])
})
