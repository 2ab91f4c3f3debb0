import { type Address, keccak256, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { unitsOf } from '../../core/money.ts'
import { testDb } from '../../e2e/lab/database.ts'
import { alice, bob, operator } from '../../e2e/lab/ledger-story.ts'
import { forEachTest } from '../../e2e/lab/opened.ts'
import { RefundTrail } from '../../e2e/lab/refund-ledger.ts'
import { transferData } from '../../e2e/lab/usdt.ts'
import { offerRefunds } from './offers.ts'
import { noteSent } from './reports.ts'
import { noteSeen } from './seen.ts'

const own = forEachTest(testDb)
const trail = forEachTest(() => RefundTrail.open(own))
const second = `0x${'2f'.repeat(20)}` as const
const invented = keccak256(toHex('a hash of no transaction'))

beforeEach(async () => {
  await trail.pay(alice, 200)
  await trail.pay(bob, 100)
  await trail.prepare('leftover')
})

const idOf = async (payer: string) =>
  (await trail.rows()).find(({ stored }) => stored.payer === payer)?.row.id as number
const offer = (id: number, wallet = operator, nonce = 1) =>
  trail.db
    .transaction((tx) => offerRefunds(tx, { ids: [id], wallet, nonce, transactions: 1 }))
    .then((rows) => rows.map(({ to }) => to.toLowerCase()))
    .catch(({ code }) => code)
const report = (id: number) => trail.db.transaction((tx) => noteSent(tx, [id], invented))
/** The nodes show the transaction of that hash. */
const show = (from: Address, nonce: number, input = transferData(alice, unitsOf(200))) =>
  noteSeen(trail.db, { hash: invented, from, nonce, input })

test('a hash that was reported without an offer explains no pending transaction of a wallet', async () => {
  trail.byHand(bob, 100)
  await report(await idOf(alice))
  expect(await offer(await idOf(bob))).toBe('TX_PENDING')
  await trail.mine()
  expect((await trail.rows()).map(({ row }) => row.state)).toEqual(['sent', 'settled'])
})

test('a hash that another wallet was offered the row for explains no pending transaction of this one', async () => {
  const [carol, dave] = [`0x${'ca'.repeat(20)}`, `0x${'da'.repeat(20)}`] as const
  await trail.watchToo(second)
  await trail.pay(carol, 200, second)
  await trail.pay(dave, 200, second)
  await trail.prepare('leftover')
  trail.byHand(bob, 100)
  const id = await idOf(carol)
  expect(await offer(id, second, 0)).toEqual([carol])
  await report(id)
  await show(second, 0, transferData(carol, unitsOf(200)))
  expect(await offer(await idOf(bob))).toBe('TX_PENDING')
  expect(await offer(await idOf(dave), second)).toEqual([dave])
})

test('a wallet is offered the next row while what it reported is pending', async () => {
  const id = await idOf(alice)
  await offer(id, operator, 0)
  await report(id)
  await show(operator, 0)
  expect(await offer(await idOf(bob))).toEqual([bob])
})

test('a hash that no node knows explains no pending transaction, though the row was offered', async () => {
  const id = await idOf(alice)
  await offer(id, operator, 0)
  await report(id)
  expect(await offer(await idOf(bob))).toBe('TX_PENDING')
})

test('a hash that no node has shown holds no nonce: the next request raises what its row waits for', async () => {
  const bound = async (id: number) => (await trail.rows()).find(({ row }) => row.id === id)?.stored.nonceBound
  const id = await idOf(alice)
  await offer(id, operator, 0)
  await report(id)
  expect(await bound(id)).toBe(0)
  expect(await offer(await idOf(bob), operator, 0)).toEqual([bob])
  expect(await bound(id)).toBe(1)
  expect(await bound(await idOf(bob))).toBe(1)
})

test('what a node has shown keeps its nonce, whatever is handed out next', async () => {
  const id = await idOf(alice)
  await offer(id, operator, 0)
  await report(id)
  await show(operator, 0)
  await offer(await idOf(bob))
  expect((await trail.rows()).find(({ row }) => row.id === id)?.stored.nonceBound).toBe(0)
})

test('the hash of another transaction, of this wallet or of another, explains no pending one', async () => {
  const id = await idOf(alice)
  await offer(id, operator, 0)
  await report(id)
  await show(second, 0)
  await show(operator, 0, transferData(bob, unitsOf(100)))
  expect(await offer(await idOf(bob))).toBe('TX_PENDING')
})

test('two rows that name the same transaction explain one', async () => {
  await offer(await idOf(alice), operator, 0)
  await report(await idOf(alice))
  await show(operator, 0)
  expect(await offer(await idOf(bob), operator, 2)).toBe('TX_PENDING')
})

test('an earlier transaction for a row, told late, is not that of the request that is out', async () => {
  const id = await idOf(alice)
  const nonce = async () => (await trail.rows()).find(({ row }) => row.id === id)?.stored.transactionNonce
  trail.byHand(bob, 100)
  await trail.mine()
  await offer(id)
  await report(id)
  await show(operator, 0)
  expect(await nonce()).toBeNull()
  await show(operator, 1)
  expect(await nonce()).toBe(1)
})
