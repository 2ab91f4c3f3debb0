import type { Address } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { oweTwoPayers, rowsOf, second } from '../../e2e/lab/two-payers.ts'
import { reconcile } from './reconcile.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const elsewhere = `0x${'e1'.repeat(20)}` as const

beforeEach(() => oweTwoPayers(trail))
const { rowOf, call } = rowsOf(trail)

/** The operator waives so much, and the second wallet pays it. */
async function handOn(cents: number): Promise<void> {
  const entry = { debtor: elsewhere, cents, token: trail.event.token } as const
  await noteEntry(trail.db, 'waived', { ...entry, wallet: operator })
  await noteEntry(trail.db, 'paid', { ...entry, wallet: second })
}

/** What a call by the wallet would newly pay, and the total that it would name. */
async function offered(
  wallet: Address,
  debtor: Address = elsewhere,
): Promise<[bigint, bigint][] | undefined> {
  const { register } = await call(wallet, debtor)
  return register?.debtors.map(({ units, total }) => [BigInt(units), BigInt(total)])
}

test('what a wallet has taken over and paid stays paid when the payment is folded anew', async () => {
  const { blockNumber } = await trail.pay(elsewhere, 70)
  await trail.prepare('leftover')
  const entry = { debtor: elsewhere, cents: 70, token: trail.event.token } as const
  await noteEntry(trail.db, 'waived', { ...entry, wallet: operator })
  await call(second, elsewhere)
  await noteEntry(trail.db, 'paid', { ...entry, wallet: second })
  await trail.watch()
  await trail.db.transaction((tx) => reconcile(tx, [elsewhere]))
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'settled' })
  await trail.refold({ from: Number(blockNumber) })
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'settled', reason: null })
})

test('a row that is handed on twice, paid in part by each, is settled by the last, and nobody is ahead', async () => {
  const third = `0x${'3f'.repeat(20)}` as const
  await trail.watchToo(third)
  const note = async (kind: 'paid' | 'waived', wallet: Address, cents: number) => {
    await noteEntry(trail.db, kind, { wallet, cents, debtor: alice, token: trail.event.token })
    await trail.db.transaction((tx) => reconcile(tx, [alice]))
  }
  await note('paid', operator, 50)
  await note('waived', operator, 150)
  expect(await offered(second, alice)).toEqual([[unitsOf(150), unitsOf(150)]])
  await note('paid', second, 70)
  await note('waived', second, 80)
  expect(await offered(third, alice)).toEqual([[unitsOf(80), unitsOf(80)]])
  await note('paid', third, 80)
  expect(await rowOf(alice)).toMatchObject({ state: 'settled', reason: null })
  await trail.refold({ from: 1 })
  expect(await rowOf(alice)).toMatchObject({ state: 'settled', reason: null })
})

test('books that know the chain alone hand over what was waived, and the wallet still pays what it has owed since', async () => {
  await trail.pay(elsewhere, 50)
  await trail.pay(elsewhere, 70)
  await handOn(50)
  await trail.prepare('leftover')
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'planned', reason: null })
  expect(await offered(operator)).toEqual([[unitsOf(70), unitsOf(120)]])
})

test('what a plain transfer has settled is handed to nobody, so that what was taken over is known for that', async () => {
  await trail.pay(elsewhere, 30)
  await trail.watch()
  trail.byHand(elsewhere, 30)
  await trail.mine()
  await trail.pay(elsewhere, 50)
  await handOn(50)
  await trail.prepare('leftover')
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'settled' })
})

test('books that know the chain alone find what was waived among what had been held, and is still owed', async () => {
  await trail.pay(elsewhere, 20)
  await trail.pay(elsewhere, 50)
  await handOn(50)
  await trail.prepare('leftover')
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'planned', reason: null })
  expect(await offered(operator)).toEqual([[unitsOf(20), unitsOf(70)]])
})

test('books that know the chain alone find two wallets that have taken over from each other', async () => {
  const third = `0x${'3f'.repeat(20)}` as const
  await trail.watchToo(third)
  await trail.pay(elsewhere, 40)
  await trail.pay(elsewhere, 30, second)
  await trail.pay(elsewhere, 10, second)
  const note = (kind: 'paid' | 'waived', wallet: Address, cents: number) =>
    noteEntry(trail.db, kind, { wallet, cents, debtor: elsewhere, token: trail.event.token })
  await note('waived', second, 30)
  await note('paid', third, 30)
  await note('waived', operator, 40)
  await note('paid', second, 40)
  await trail.prepare('leftover')
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'planned', reason: null })
  const { register } = await call(third, elsewhere)
  expect(register?.debtors.map(({ units }) => BigInt(units))).toEqual([unitsOf(10)])
})

test('what a wallet has paid of a payment that is gone for a while counts for what another one had waived later, once', async () => {
  await trail.pay(elsewhere, 40)
  const gone = await trail.pay(elsewhere, 50, second)
  await trail.prepare('leftover')
  const entry = { debtor: elsewhere, token: trail.event.token } as const
  await noteEntry(trail.db, 'paid', { ...entry, wallet: second, cents: 50 })
  await noteEntry(trail.db, 'waived', { ...entry, wallet: operator, cents: 40 })
  await trail.db.transaction((tx) => reconcile(tx, [elsewhere]))
  await trail.refold({
    from: Number(gone.blockNumber),
    isReorg: true,
    change: (payment) => (payment.transactionHash === gone.transactionHash ? undefined : payment),
  })
  for (const wallet of [operator, second]) expect(await offered(wallet)).toBeUndefined()
  await trail.fold(gone)
  await trail.prepare('leftover')
  expect(await offered(operator)).toBeUndefined()
  expect(await offered(second)).toEqual([[unitsOf(40), unitsOf(90)]])
})

test('of a payment of which only a part was waived nothing is handed over: its wallet may still pay the rest', async () => {
  await trail.pay(elsewhere, 120)
  await handOn(50)
  await trail.prepare('leftover')
  expect(await rowOf(elsewhere)).toMatchObject({ state: 'planned', reason: 'ahead' })
})
