import { type Address, getAddress, type Hex, pad } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { register } from '../../core/chain/register.ts'
import { usdtOnBsc } from '../../core/chain/usdt.ts'
import {
  type Debt,
  executeData,
  type Mood,
  moodData,
  openRegister,
  owe,
  payUpToData,
  person,
  prepareData,
  type RegisterWorld,
  waiveData,
} from '../../e2e/lab/register.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'

/** What hostile tokens, and wallets that act in the middle of their own calls, can and cannot do. */
let world: RegisterWorld
let token: Address
/** A contract that does what anybody asks, so the token can call in its name. */
let wallet: Address
let account: Address
beforeAll(async () => {
  world = await openRegister()
  account = world.accounts[1] as Address
  token = getAddress(await world.deploy('MoodyToken'))
  wallet = getAddress(await world.deploy('OpenWallet'))
  await byAccount(wallet, executeData(token, approveData(register.address)))
  await byAccount(token, approveData(register.address))
  for (const holder of [wallet, account, token]) await byAccount(token, mintData(holder, 1_000n))
})
beforeEach(() => world.startAnew())
afterAll(() => world?.stop())

const payFromAccount = (debts: Debt[], at = token) =>
  world.send({ from: account, data: payUpToData(at, debts) })
const byWallet = (data: Hex) => executeData(register.address, data)
const payFromWallet = (debts: Debt[]) =>
  world.send({ from: account, to: wallet, data: byWallet(payUpToData(token, debts)) })
const byAccount = (to: Address, data: Hex) => world.send({ from: account, to, data })
const setMood = (mood: Mood) => byAccount(token, moodData(mood))
const prepare = (to: Address, data: Hex) => byAccount(token, prepareData(to, data))
const paidBy = (from: Address, ...numbers: number[]) =>
  Promise.all(numbers.map((number) => world.paid(from, token, person(number))))

test('a token that returns nothing has paid', async () => {
  await setMood('ReturnsNothing')
  expect((await payFromAccount([owe(1, 5n), owe(2, 6n)])).logs).toMatchObject([
    { event: 'Paid', amount: 5n },
    { event: 'Transfer', from: account, to: person(1), value: 5n },
    { event: 'Paid', amount: 6n },
    { event: 'Transfer', from: account, to: person(2), value: 6n },
  ])
})

test.each([
  ['returns false', 'ReturnsFalse', `TransferFailed(${person(1)})`],
  ['returns neither true nor false', 'ReturnsTwo', ''],
  ['returns less than a word', 'ReturnsOneByte', ''],
  ['fails with a reason', 'Reverts', 'Error(the token refuses)'],
  ['fails without a reason', 'RevertsSilently', ''],
] as const)('nothing is remembered when the token %s', async (_, mood, reason) => {
  await setMood(mood)
  const data = payUpToData(token, [owe(1, 5n)])
  expect(await world.refusal({ from: account, data })).toBe(reason)
  expect(await world.send({ from: account, data })).toMatchObject({ ok: false, logs: [] })
  expect(await paidBy(account, 1)).toEqual([0n])
  await setMood('ReturnsTrue')
  expect((await payFromAccount([owe(1, 5n)])).logs).toMatchObject([{ amount: 5n, total: 5n }, { value: 5n }])
})

test.each([
  ['an account', person(77), `TransferFailed(${person(1)})`],
  ['the zero address', pad('0x', { size: 20 }), `TransferFailed(${person(1)})`],
  ['a precompiled contract that hashes', pad('0x2', { size: 20 }), ''],
  ['a precompiled contract that repeats', pad('0x4', { size: 20 }), ''],
] as const)('%s is no token: nothing is remembered', async (_, address, reason) => {
  const data = payUpToData(address, [owe(1, 5n)])
  expect(await world.refusal({ from: account, data })).toBe(reason)
  expect((await world.send({ from: account, data })).ok).toBe(false)
  expect(await world.paid(account, address, person(1))).toBe(0n)
})

test('a call that the token makes again in the middle of itself pays everybody once', async () => {
  const debts = [owe(1, 5n), owe(2, 6n)]
  await prepare(wallet, byWallet(payUpToData(token, debts)))
  expect((await payFromWallet(debts)).logs).toMatchObject([
    { event: 'Paid', debtor: person(1), amount: 5n, total: 5n },
    { event: 'Paid', debtor: person(2), amount: 6n, total: 6n },
    { event: 'Transfer', to: person(2), value: 6n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', to: person(1), value: 5n },
  ])
  expect(await paidBy(wallet, 1, 2)).toEqual([5n, 6n])
})

test('a larger total in the middle of a call is paid up to itself, and totals of the logs rise', async () => {
  await prepare(wallet, byWallet(payUpToData(token, [owe(1, 9n)])))
  expect((await payFromWallet([owe(1, 5n)])).logs).toMatchObject([
    { event: 'Paid', amount: 5n, total: 5n },
    { event: 'Paid', amount: 4n, total: 9n },
    { event: 'Transfer', value: 4n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', value: 5n },
  ])
  expect(await paidBy(wallet, 1)).toEqual([9n])
})

test('what is waived in the middle of a call is not paid by its rest', async () => {
  await prepare(wallet, byWallet(waiveData(token, [owe(1, 3n), owe(2, 20n)])))
  expect((await payFromWallet([owe(1, 5n), owe(2, 6n), owe(3, 7n)])).logs).toMatchObject([
    { event: 'Paid', debtor: person(1) },
    { event: 'Waived', wallet, debtor: person(2), total: 20n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', to: person(1), value: 5n },
    { event: 'Paid', debtor: person(3) },
    { event: 'Transfer', to: person(3), value: 7n },
  ])
  expect(await paidBy(wallet, 1, 2, 3)).toEqual([5n, 20n, 7n])
})

test('a call in the middle that fails leaves nothing behind', async () => {
  await prepare(wallet, byWallet(payUpToData(token, [owe(2, 6n), owe(1, 9n)])))
  const { logs } = await payFromWallet([owe(1, 5n)])
  expect(logs.map(({ event }) => event)).toEqual(['Paid', 'CalledBack', 'Transfer'])
  expect(logs[1]).toEqual({ event: 'CalledBack', ok: false })
  expect(await paidBy(wallet, 1, 2)).toEqual([5n, 0n])
})

test('a token that calls in its own name writes in its own books alone', async () => {
  await prepare(register.address, waiveData(token, [owe(1, 100n), owe(2, 100n)]))
  expect((await payFromAccount([owe(1, 5n), owe(2, 6n)])).logs).toMatchObject([
    { event: 'Paid', wallet: account, amount: 5n },
    { event: 'Waived', wallet: token, debtor: person(1), total: 100n },
    { event: 'Waived', wallet: token, debtor: person(2), total: 100n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', value: 5n },
    { event: 'Paid', wallet: account, amount: 6n },
    { event: 'Transfer', value: 6n },
  ])
  expect(await paidBy(account, 1, 2)).toEqual([5n, 6n])
  expect(await paidBy(token, 1, 2)).toEqual([100n, 100n])
})

test('a token cannot move another token of its caller in the middle of a call', async () => {
  await world.send({ from: account, to: usdtOnBsc, data: approveData(register.address) })
  await prepare(register.address, payUpToData(usdtOnBsc, [owe(9, 50n)]))
  const { ok, logs } = await payFromAccount([owe(1, 5n)])
  expect([ok, logs.map(({ event }) => event)]).toEqual([true, ['Paid', 'CalledBack', 'Transfer']])
  expect(logs[1]).toEqual({ event: 'CalledBack', ok: false })
})

test('a token that lies is believed: the register remembers what was asked, not what arrived', async () => {
  await setMood('MovesNothing')
  expect((await payFromAccount([owe(1, 5n)])).logs).toMatchObject([{ event: 'Paid', amount: 5n }])
  await setMood('TakesAFee')
  expect((await payFromAccount([owe(2, 50n)])).logs).toMatchObject([
    { event: 'Paid', amount: 50n, total: 50n },
    { event: 'Transfer', value: 45n },
  ])
  expect(await paidBy(account, 1, 2)).toEqual([5n, 50n])
})
