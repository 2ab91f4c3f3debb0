import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { alice, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { oweTwoPayers, rowsOf, second } from '../../e2e/lab/two-payers.ts'
import { findWallet } from './found-wallet.ts'
import { reconcile } from './reconcile.ts'
import { noteRejected } from './reports.ts'
import { loseWallet } from './wallets.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const { rowOf, call } = rowsOf(trail)

beforeEach(() => oweTwoPayers(trail))

const note = async (kind: 'paid' | 'waived', wallet: typeof second) => {
  await noteEntry(trail.db, kind, { wallet, debtor: alice, cents: 200, token: trail.event.token })
  await trail.db.transaction((tx) => reconcile(tx, [alice]))
}
const lose = () => trail.db.transaction((tx) => loseWallet(tx, operator))
const find = () => trail.db.transaction((tx) => findWallet(tx, operator))
const reject = async () => {
  const { id, revision } = await rowOf(alice)
  await trail.db.transaction((tx) => noteRejected(tx, [{ id, revision }]))
}
/** What a wallet is handed of alice's row. */
const handed = async (wallet: typeof second) => (await call(wallet, alice)).register?.debtors.length ?? 0

test('a key that was not lost after all: its wallet owes again what another one took over and did not pay', async () => {
  await lose()
  expect(await handed(second)).toBe(1)
  await reject()
  expect((await find()).after.lostAt).toBeNull()
  expect(await handed(second)).toBe(0)
  expect(await handed(operator)).toBe(1)
})

test('the word stays while another wallet holds a request of it, and once it has paid', async () => {
  await lose()
  expect(await handed(second)).toBe(1)
  expect(await codeOf(find())).toBe('ALREADY_PROCESSED')
  await note('paid', second)
  expect(await rowOf(alice)).toMatchObject({ state: 'settled' })
  expect(await codeOf(find())).toBe('ALREADY_PROCESSED')
})

test('what the wallet has waived stays with the one that took it over', async () => {
  await note('waived', operator)
  expect(await handed(second)).toBe(1)
  await reject()
  await lose()
  await find()
  expect(await handed(operator)).toBe(0)
  expect(await handed(second)).toBe(1)
})

test('without the word there is nothing to take back, and a stranger is no wallet of ours', async () => {
  expect((await find()).before).toEqual((await find()).after)
  await trail.db.execute(sql`delete from operator_wallets where address = ${second}`)
  expect(await codeOf(trail.db.transaction((tx) => findWallet(tx, second)))).toBe('NOT_FOUND')
})
