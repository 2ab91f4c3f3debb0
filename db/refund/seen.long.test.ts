import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { encodePayUpTo } from '../../core/refund/register-calls.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { oweTwoPayers, rowsOf } from '../../e2e/lab/two-payers.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { noteSent } from './reports.ts'
import { noteSeen } from './seen.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const elsewhere = `0x${'e1'.repeat(20)}` as const

beforeEach(() => oweTwoPayers(trail))
const { rowOf, idOf, transfers, call } = rowsOf(trail)

test('a late report of an earlier transfer does not end the request in flight', async () => {
  trail.byHand(elsewhere, 1)
  await trail.mine()
  const stale = trail.transfers[0]?.transactionHash as `0x${string}`
  expect(await transfers(operator, alice, 1, true)).toBe(1)
  await trail.db.transaction(async (tx) => noteSent(tx, [await idOf(alice)], stale))
  await noteSeen(trail.db, {
    ...{ hash: stale, from: operator, nonce: 0 },
    input: transferData(alice, unitsOf(200)),
  })
  trail.byHand(elsewhere, 1)
  await trail.mine()
  expect(await rowOf(alice)).toMatchObject({ state: 'sent', transactionNonce: null })
  expect(await transfers(operator, alice, 2, true)).toBe(0)
})

test('a late report of an earlier call does not end the one in flight', async () => {
  trail.byHand(elsewhere, 1)
  await trail.mine()
  const stale = trail.transfers[0]?.transactionHash as `0x${string}`
  const { register } = await call(operator, bob)
  const deadline = register?.validUntil as number
  await trail.db.transaction(async (tx) => noteSent(tx, [await idOf(bob)], stale))
  const show = (validUntil: number) =>
    noteSeen(trail.db, {
      ...{ hash: stale, from: operator, nonce: 0 },
      input: encodePayUpTo(trail.event.token, [{ debtor: bob, payee: bob, total: unitsOf(100) }], validUntil),
    })
  await show(deadline - 1)
  await trail.watch()
  expect(await rowOf(bob)).toMatchObject({ state: 'sent', transactionNonce: null })
  expect(await transfers(operator, bob, 1)).toBe(0)
  await show(deadline)
  await trail.watch()
  expect(await rowOf(bob)).toMatchObject({ state: 'failed', offeredAt: null })
})
