import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { register, registerAbi, usdtOnBsc as usdt } from '../../core/chain/register.ts'
import { newestTime, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import { forFile } from '../../e2e/lab/opened.ts'
import { book, type Debt, openRegister, owe, payUpToData, person } from '../../e2e/lab/register.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'
import { rpc } from '../local/rpc.ts'

const world = await forFile(openRegister())
const [stranger, wallet, other] = world.accounts as [Address, Address, Address]
const zero = pad('0x', { size: 20 })
let otherToken: Address
beforeAll(async () => {
  otherToken = await world.deploy('MoodyToken')
  for (const from of [wallet, other])
    for (const token of [usdt, otherToken]) {
      await world.send({ from, to: token, data: approveData(register.address) })
      await world.send({ from, to: token, data: mintData(from, 1_000_000n) })
    }
})
beforeEach(() => world.startAnew())

type How = { from?: Address; token?: Address; by?: Hex; validUntil?: bigint }
const pay = (debts: Debt[], { from = wallet, token = usdt, ...how }: How = {}) =>
  world.send({ from, data: payUpToData(token, debts, how) })
const refusal = (debts: Debt[], { from = wallet, token = usdt, ...how }: How = {}) =>
  world.refusal({ from, data: payUpToData(token, debts, how) })
const paidTo = (...numbers: number[]) =>
  Promise.all(numbers.map((number) => world.paid(usdt, person(number))))
const amounts = ({ logs }: Awaited<ReturnType<typeof pay>>) =>
  logs.flatMap((log) => ('amount' in log ? [[log.debtor, log.amount, log.total]] : []))

test('pays each debtor from the wallet of the caller, in any order, and keeps nothing', async () => {
  const { ok, logs } = await pay([owe(2, 7n), owe(1, 5n)])
  expect(ok).toBe(true)
  const ours = { event: 'Paid', book, wallet, token: usdt }
  expect(logs).toEqual([
    { ...ours, debtor: person(2), amount: 7n, total: 7n },
    { event: 'Transfer', from: wallet, to: person(2), value: 7n },
    { ...ours, debtor: person(1), amount: 5n, total: 5n },
    { event: 'Transfer', from: wallet, to: person(1), value: 5n },
  ])
  expect(await paidTo(1, 2)).toEqual([5n, 7n])
})

test('the same call again, a smaller total and the call of another wallet pay nothing and leave no log', async () => {
  const debts = [owe(1, 5n), owe(2, 7n)]
  await pay(debts)
  expect(await pay(debts)).toMatchObject({ ok: true, logs: [] })
  expect(await pay([owe(1, 4n), owe(2, 0n)])).toMatchObject({ ok: true, logs: [] })
  expect(await pay(debts, { from: other })).toMatchObject({ ok: true, logs: [] })
  // Nor does a wallet without money or allowance fail where nothing is due.
  expect(await pay(debts, { from: stranger })).toMatchObject({ ok: true, logs: [] })
  expect(await paidTo(1, 2)).toEqual([5n, 7n])
})

test('the difference to a total that has grown is paid, by whoever calls', async () => {
  await pay([owe(1, 5n), owe(2, 7n), owe(3, 1n)])
  const grown = await pay([owe(1, 5n), owe(2, 10n), owe(3, 0n), owe(4, 2n)], { from: other })
  expect(amounts(grown)).toEqual([
    [person(2), 3n, 10n],
    [person(4), 2n, 2n],
  ])
  expect(await paidTo(1, 2, 3, 4)).toEqual([5n, 10n, 1n, 2n])
})

test('a debtor who stands in a call twice is paid up to the higher total', async () => {
  const twice = await pay([owe(1, 5n), owe(2, 7n), owe(1, 5n), owe(2, 9n), owe(2, 8n)])
  expect(amounts(twice)).toEqual([
    [person(1), 5n, 5n],
    [person(2), 7n, 7n],
    [person(2), 2n, 9n],
  ])
})

test('nobody pays himself: the caller is passed over, whatever his total, and his debt stays', async () => {
  const own = { debtor: wallet, total: 50n }
  expect(amounts(await pay([owe(1, 5n), own]))).toEqual([[person(1), 5n, 5n]])
  expect(await world.paid(usdt, wallet)).toBe(0n)
  expect(amounts(await pay([own], { from: other }))).toEqual([[wallet, 50n, 50n]])
})

test('register and token are debtors like any other, and what they get is lost', async () => {
  const debts = [register.address, usdt].map((debtor) => ({ debtor, total: 3n }))
  expect((await pay(debts)).ok).toBe(true)
  expect(await Promise.all(debts.map(({ debtor }) => world.paid(usdt, debtor)))).toEqual([3n, 3n])
})

test('the zero address is no debtor, also with a total that pays nothing', async () => {
  for (const total of [0n, 5n])
    expect(await refusal([owe(1, 5n), { debtor: zero, total }])).toBe('ZeroDebtor()')
})

test('lists of different lengths are refused; empty ones do nothing', async () => {
  for (const totals of [[], [5n, 6n]]) {
    const args = [book, usdt, [person(1)], totals, 2n ** 64n] as const
    const data = encodeFunctionData({ abi: registerAbi, functionName: 'payUpTo', args })
    expect(await world.refusal({ from: wallet, data })).toBe('LengthsDiffer()')
  }
  expect(await pay([])).toMatchObject({ ok: true, logs: [] })
})

test('a call runs up to the second of validUntil and never after it, also if it would pay nothing', async () => {
  const validUntil = BigInt(await newestTime(world.url)) + 100n
  await setNextTime(world.url, Number(validUntil))
  expect((await pay([owe(1, 5n)], { validUntil })).ok).toBe(true)
  await setNextTime(world.url, Number(validUntil) + 1)
  expect((await pay([owe(1, 6n)], { validUntil })).ok).toBe(false)
  for (const debts of [[owe(1, 6n)], [owe(1, 5n)], []])
    expect(await refusal(debts, { validUntil })).toBe(`Expired(${validUntil})`)
  expect(await paidTo(1)).toEqual([5n])
})

test('what was paid by one book, or in one token, pays no debt of another', async () => {
  const by = pad('0x0dd')
  await pay([owe(1, 5n)])
  expect(amounts(await pay([owe(1, 5n)], { token: otherToken }))).toEqual([[person(1), 5n, 5n]])
  expect(amounts(await pay([owe(1, 6n)], { by }))).toEqual([[person(1), 6n, 6n]])
  const all = [
    world.paid(usdt, person(1)),
    world.paid(otherToken, person(1)),
    world.paid(usdt, person(1), by),
  ]
  expect(await Promise.all(all)).toEqual([5n, 5n, 6n])
})

test('all or none: who cannot be paid is named, with the reason of the token, and nobody is paid', async () => {
  const allow = (units: bigint) =>
    world.send({ from: wallet, to: usdt, data: approveData(register.address, units) })
  await allow(11n)
  const debts = [owe(1, 5n), owe(2, 7n)]
  const exceeds = (what: string) => `Error(BEP20: transfer amount exceeds ${what})`
  expect(await refusal(debts)).toBe(`TransferFailed(${person(2)}, ${exceeds('allowance')})`)
  expect(await pay(debts)).toMatchObject({ ok: false, logs: [] })
  expect(await paidTo(1, 2)).toEqual([0n, 0n])
  await allow(12n)
  expect((await pay(debts)).ok).toBe(true)
  await allow(10n ** 40n)
  expect(await refusal([owe(3, 10n ** 30n)])).toBe(`TransferFailed(${person(3)}, ${exceeds('balance')})`)
})

test("a stranger cannot move a wallet's money, though the register has its allowance", async () => {
  await world.send({ from: stranger, to: usdt, data: mintData(stranger, 100n) })
  expect(await refusal([owe(1, 5n)], { from: stranger })).toMatch('allowance')
})

test('an anchor is one log in the name of its sender and touches no memory', async () => {
  const commitment = pad('0xabcdef')
  const data = encodeFunctionData({ abi: registerAbi, functionName: 'anchor', args: [book, 7n, commitment] })
  expect((await world.send({ from: wallet, data })).logs).toEqual([
    { event: 'Anchored', wallet, book, eventNumber: 7n, commitment },
  ])
  const call = { from: wallet, to: register.address, data }
  expect(await rpc(world.url, 'eth_createAccessList', [call])).toMatchObject({ accessList: [] })
})

test('takes no coins', async () => {
  const coins = { from: wallet, to: register.address, value: '0x1' }
  for (const call of [coins, { ...coins, data: payUpToData(usdt, []) }])
    await expect(rpc(world.url, 'eth_call', [call])).rejects.toThrow('revert')
})

test('180 new payees cost less than 12,000,000 gas', async () => {
  const debts = Array.from({ length: 180 }, (_, index) => owe(1000 + index, 3n * 10n ** 18n))
  const { ok, gas } = await pay(debts)
  console.log(`register: 180 new payees, ${gas} gas`)
  expect([ok, gas < 12_000_000n]).toEqual([true, true])
})
