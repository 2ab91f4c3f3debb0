import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { testDb } from '../../e2e/lab/database.ts'
import { codeOf } from '../../e2e/lab/faulty-chain.ts'
import { alice, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { noteEntry } from '../../e2e/lab/register-facts.ts'
import { oweTwoPayers, rowsOf, second } from '../../e2e/lab/two-payers.ts'
import { wishOf } from './decisions.ts'
import { findWallet } from './found-wallet.ts'
import { rowDues } from './row-dues.ts'
import { noteHeard, unheardWallets } from './unheard.ts'
import { loseWallet } from './wallets.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const elsewhere = `0x${'e1'.repeat(20)}` as const
const { rowOf, call, transfers } = rowsOf(trail)

beforeEach(async () => {
  await oweTwoPayers(trail)
  await trail.db.execute(sql`update operator_wallets set unheard_until = now() + interval '7 days'`)
})

const third = `0x${'3f'.repeat(20)}` as const
const heard = (wallet: typeof second) => trail.db.transaction((tx) => noteHeard(tx, wallet))
const waived = () =>
  noteEntry(trail.db, 'waived', {
    ...{ wallet: operator, debtor: alice },
    ...{ cents: 200, token: trail.event.token },
  })
/** A final block behind the week in which a forgotten call may run. */
const weekLater = () => trail.db.execute(sql`update scan_cursor set block_time = now() + interval '8 days'`)
const handed = async (wallet: typeof second) => (await call(wallet, alice)).register?.debtors.length ?? 0
/** Whether the desk says that another wallet may pay Alice. */
const isLeft = async () =>
  (await rowDues(trail.db, trail.event.number)).get((await rowOf(alice)).id)?.every((due) => due.isLeft)
const wish = async () => codeOf(wishOf(trail.db, (await rowOf(alice)).id, elsewhere))

test('after a restore a wallet pays through the register at once, which pays no total twice', async () => {
  expect(await handed(operator)).toBe(1)
})

test('no transfers and no other address until a final block a week later: a forgotten file may still pay', async () => {
  expect(await codeOf(transfers(operator, alice, 0))).toBe('INVALID_VALUE')
  expect(await wish()).toBe('TX_PENDING')
  await weekLater()
  expect(await wish()).toBeUndefined()
  expect(await transfers(operator, alice, 0)).toBe(1)
})

test('no other wallet takes over meanwhile, also where the key is lost, and by an administrator’s word it may', async () => {
  await trail.db.transaction((tx) => loseWallet(tx, operator))
  expect(await handed(second)).toBe(0)
  expect(await isLeft()).toBe(false)
  await trail.db.transaction((tx) => noteHeard(tx, operator))
  expect(await isLeft()).toBe(true)
  expect(await handed(second)).toBe(1)
})

test('what was waived in a final block is taken over at once: the register itself pays it no more', async () => {
  await waived()
  expect(await handed(second)).toBe(1)
})

test('what was waived may be in a forgotten call of a third wallet, which had taken it over', async () => {
  await trail.watchToo(third)
  await waived()
  await heard(operator)
  await heard(second)
  expect(await handed(second)).toBe(0)
  expect(await codeOf(transfers(operator, alice, 0))).toBe('INVALID_VALUE')
  expect(await wish()).toBe('TX_PENDING')
  await heard(third)
  expect(await handed(second)).toBe(1)
})

test('what the register paid elsewhere may have gone where a forgotten wish said: nobody makes up for it at once', async () => {
  await noteEntry(trail.db, 'paid', {
    ...{ wallet: operator, debtor: alice, payee: elsewhere },
    ...{ cents: 200, token: trail.event.token },
  })
  expect([await handed(second), await isLeft()]).toEqual([0, false])
  await weekLater()
  expect([await isLeft(), await handed(second)]).toEqual([true, 1])
})

test('a key that is found pays nothing that another wallet may have been handed in its place', async () => {
  await trail.db.transaction((tx) => loseWallet(tx, operator))
  await heard(operator)
  const find = () => codeOf(trail.db.transaction((tx) => findWallet(tx, operator)))
  expect(await find()).toBe('TX_PENDING')
  await heard(second)
  expect(await find()).toBeUndefined()
})

test('a wallet that the backup does not know waits like those that it knows', async () => {
  await trail.watchToo(third)
  expect(await unheardWallets(trail.db)).toEqual(new Set([operator, second, third]))
})
