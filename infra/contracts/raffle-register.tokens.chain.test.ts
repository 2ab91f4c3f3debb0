import { type Address, getAddress, type Hex, pad } from 'viem'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { register, usdtOnBsc } from '../../core/chain/register.ts'
import { forFile } from '../../e2e/lab/opened.ts'
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
} from '../../e2e/lab/register.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'

/** What hostile tokens, and wallets that act in the middle of their own calls, can and cannot do. */
const world = await forFile(openRegister())
const account = world.accounts[1] as Address
let token: Address
/** A contract that does what anybody asks, so the token can call in its name. */
let wallet: Address
beforeAll(async () => {
  token = getAddress(await world.deploy('MoodyToken'))
  wallet = getAddress(await world.deploy('OpenWallet'))
  await byAccount(wallet, executeData(token, approveData(register.address)))
  await byAccount(token, approveData(register.address))
  for (const holder of [wallet, account]) await byAccount(token, mintData(holder, 1_000n))
})
beforeEach(() => world.startAnew())

const byAccount = (to: Address, data: Hex) => world.send({ from: account, to, data })
const byWallet = (data: Hex) => executeData(register.address, data)
const pay = (debts: Debt[]) => world.send({ from: account, data: payUpToData(token, debts) })
const setMood = (mood: Mood) => byAccount(token, moodData(mood))
/** The token begins its next transfer with this payment by the wallet. */
const callBack = (debts: Debt[], at = token) =>
  byAccount(token, prepareData(wallet, byWallet(payUpToData(at, debts))))
const paidTo = (...numbers: number[]) =>
  Promise.all(numbers.map((number) => world.paid(token, person(number))))

test('a token that returns nothing has paid', async () => {
  await setMood('ReturnsNothing')
  expect((await pay([owe(1, 5n), owe(2, 6n)])).logs).toMatchObject([
    { event: 'Paid', amount: 5n },
    { event: 'Transfer', from: account, to: person(1), value: 5n },
    { event: 'Paid', amount: 6n },
    { event: 'Transfer', from: account, to: person(2), value: 6n },
  ])
})

test.each([
  ['returns false', 'ReturnsFalse', pad('0x')],
  ['returns neither true nor false', 'ReturnsTwo', pad('0x2')],
  ['returns less than a word', 'ReturnsOneByte', '0x01'],
  ['fails with a reason', 'Reverts', 'Error(the token refuses)'],
  ['fails without a reason', 'RevertsSilently', '0x'],
] as const)('nothing is remembered when the token %s', async (_, mood, reason) => {
  await setMood(mood)
  const data = payUpToData(token, [owe(1, 5n)])
  expect(await world.refusal({ from: account, data })).toBe(`TransferFailed(${person(1)}, ${reason})`)
  expect(await world.send({ from: account, data })).toMatchObject({ ok: false, logs: [] })
  expect(await paidTo(1)).toEqual([0n])
  await setMood('ReturnsTrue')
  expect((await pay([owe(1, 5n)])).logs).toMatchObject([{ amount: 5n, total: 5n }, { value: 5n }])
})

test.each([
  ['an account', person(77)],
  ['the zero address', pad('0x', { size: 20 })],
  ['a precompiled contract that hashes', pad('0x2', { size: 20 })],
  ['a precompiled contract that repeats', pad('0x4', { size: 20 })],
  ['the register', register.address],
] as const)('%s is no token: nothing is remembered', async (_, address) => {
  const data = payUpToData(address, [owe(1, 5n)])
  expect(await world.refusal({ from: account, data })).toMatch(`TransferFailed(${person(1)}, `)
  expect((await world.send({ from: account, data })).ok).toBe(false)
})

test('a call that the token makes again in the middle of itself pays everybody once', async () => {
  const debts = [owe(1, 5n), owe(2, 6n)]
  await callBack(debts)
  expect((await pay(debts)).logs).toMatchObject([
    { event: 'Paid', wallet: account, debtor: person(1), amount: 5n, total: 5n },
    { event: 'Paid', wallet, debtor: person(2), amount: 6n, total: 6n },
    { event: 'Transfer', from: wallet, to: person(2), value: 6n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', from: account, to: person(1), value: 5n },
  ])
  expect(await paidTo(1, 2)).toEqual([5n, 6n])
})

test('a larger total in the middle of a call is paid up to itself, and totals of the logs rise', async () => {
  await callBack([owe(1, 9n)])
  expect((await pay([owe(1, 5n)])).logs).toMatchObject([
    { event: 'Paid', amount: 5n, total: 5n },
    { event: 'Paid', amount: 4n, total: 9n },
    { event: 'Transfer', value: 4n },
    { event: 'CalledBack', ok: true },
    { event: 'Transfer', value: 5n },
  ])
  expect(await paidTo(1)).toEqual([9n])
})

test('a call in the middle that fails leaves nothing behind', async () => {
  await callBack([owe(2, 6n), owe(1, 2_000n)])
  const { logs } = await pay([owe(1, 5n)])
  expect(logs.map(({ event }) => event)).toEqual(['Paid', 'CalledBack', 'Transfer'])
  expect(logs[1]).toEqual({ event: 'CalledBack', ok: false })
  expect(await paidTo(1, 2)).toEqual([5n, 0n])
})

test('a token cannot move another token of its caller in the middle of a call', async () => {
  await world.send({ from: account, to: usdtOnBsc, data: approveData(register.address) })
  await callBack([owe(9, 50n)], usdtOnBsc)
  const { ok, logs } = await pay([owe(1, 5n)])
  expect([ok, logs[1]]).toEqual([true, { event: 'CalledBack', ok: false }])
})

test('a token that lies is believed: the register remembers what was asked, not what arrived', async () => {
  await setMood('MovesNothing')
  expect((await pay([owe(1, 5n)])).logs).toMatchObject([{ event: 'Paid', amount: 5n }])
  await setMood('TakesAFee')
  expect((await pay([owe(2, 50n)])).logs).toMatchObject([
    { event: 'Paid', amount: 50n, total: 50n },
    { event: 'Transfer', value: 45n },
  ])
  expect(await paidTo(1, 2)).toEqual([5n, 50n])
  // Nothing of it is known of another token.
  expect(await world.paid(usdtOnBsc, person(1))).toBe(0n)
})
