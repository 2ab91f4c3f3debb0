import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { oweTwoPayers, rowsOf, second } from '../../e2e/lab/two-payers.ts'
import { offerByRegister } from './offer-register.ts'
import { reconcile } from './reconcile.ts'
import { loseWallet } from './wallets.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const thief = `0x${'e1'.repeat(20)}` as const

beforeEach(() => oweTwoPayers(trail))
const { rowOf, call, transfers } = rowsOf(trail)

/** Whoever holds the operator's key has the register pay himself. */
const divert = async (cents: number) => {
  await noteEntry(trail.db, 'paid', {
    ...{ wallet: operator, token: trail.event.token },
    ...{ debtor: alice, payee: thief, cents },
  })
  await trail.db.transaction((tx) => reconcile(tx, [alice]))
}
const paidBySecond = async () => {
  await noteEntry(trail.db, 'paid', {
    wallet: second,
    token: trail.event.token,
    debtor: alice,
    cents: 200,
  })
  await trail.db.transaction((tx) => reconcile(tx, [alice]))
}
const handedTo = async (wallet: Address) => {
  const { register } = await call(wallet, alice)
  return register?.debtors.map(({ payee, units }) => [payee.toLowerCase(), BigInt(units)]) ?? []
}

test('what the register paid to a stranger leaves its debtor unpaid, and the row says so', async () => {
  await divert(200)
  expect(await rowOf(alice)).toMatchObject({ state: 'planned', reason: 'elsewhere' })
  expect(await rowOf(bob)).toMatchObject({ state: 'planned', reason: null })
})

test('the register pays that part no more: another wallet takes it over, or the same one sends it past the register', async () => {
  await divert(200)
  expect(await handedTo(operator)).toEqual([])
  expect(await handedTo(second)).toEqual([[alice, unitsOf(200)]])
  await paidBySecond()
  expect(await rowOf(alice)).toMatchObject({ state: 'settled', reason: null })
})

test('the wallet itself can send it past the register', async () => {
  await divert(200)
  expect(await transfers(operator, alice, 0)).toBe(1)
  expect(await transfers(second, bob, 0)).toBe(0)
})

test('a part that went to a stranger is made up for once the rest is waived', async () => {
  await divert(120)
  expect(await handedTo(second)).toEqual([])
  await noteEntry(trail.db, 'waived', {
    wallet: operator,
    token: trail.event.token,
    debtor: alice,
    cents: 80,
  })
  expect(await handedTo(second)).toEqual([[alice, unitsOf(200)]])
})

test('a payment to an address that the payer names later is his refund after all', async () => {
  await divert(200)
  const { id } = await rowOf(alice)
  await trail.db.execute(sql`
    insert into refund_readdresses (row_id, recipient, signature, expires_at, answered_at, proof, named_at)
    values (${id}, ${thief}, '0x', now(), now(), 'personal', 99999)`)
  await trail.db.transaction((tx) => reconcile(tx, [alice]))
  expect(await rowOf(alice)).toMatchObject({ state: 'settled', reason: null })
})

test('a payment folded anew is still owed by the wallet that made up for it', async () => {
  await divert(200)
  await call(second, alice)
  await paidBySecond()
  await trail.refold({ from: 1 })
  expect(await rowOf(alice)).toMatchObject({ state: 'settled', reason: null })
})

test('what is owed anew behind it the register pays as ever, and the row says nothing of the stranger', async () => {
  await divert(200)
  await call(second, alice)
  await paidBySecond()
  await trail.pay(alice, 50)
  await trail.prepare('leftover')
  const fresh = (await trail.rows()).map(({ stored }) => stored).findLast(({ payer }) => payer === alice)
  expect(fresh).toMatchObject({ state: 'planned', reason: null })
  const { register } = await trail.db.transaction((tx) =>
    offerByRegister(tx, {
      ...{ ids: [fresh?.id ?? 0], wallet: operator, nonce: 0, transactions: 2, validFor: 3_600 },
    }),
  )
  expect(register?.debtors).toMatchObject([{ total: `${unitsOf(250)}`, units: `${unitsOf(50)}` }])
})

test('a thief who pays everybody a little more than was owed shuts nobody out, once the key is said to be lost', async () => {
  await noteEntry(trail.db, 'paid', { wallet: second, token: trail.event.token, debtor: alice, cents: 1 })
  await trail.db.transaction((tx) => reconcile(tx, [alice]))
  expect(await rowOf(alice)).toMatchObject({ state: 'planned', reason: 'ahead' })
  expect(await handedTo(operator)).toEqual([])
  await trail.db.transaction((tx) => loseWallet(tx, second))
  expect(await rowOf(alice)).toMatchObject({ state: 'planned', reason: null })
  expect(await handedTo(operator)).toEqual([[alice, unitsOf(200)]])
})
