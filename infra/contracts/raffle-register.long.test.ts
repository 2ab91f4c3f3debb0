import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { register, registerAbi } from '../../core/chain/register.ts'
import { usdtOnBsc } from '../../core/chain/usdt.ts'
import { newestTime, setNextTime } from '../../e2e/lab/chain-verbs.ts'
import {
  type Debt,
  openRegister,
  owe,
  payUpToData,
  person,
  type RegisterWorld,
  waiveData,
} from '../../e2e/lab/register.ts'
import { approveData, mintData } from '../../e2e/lab/usdt.ts'
import { rpc } from '../local/rpc.ts'

let world: RegisterWorld
let wallet: Address
let other: Address
let otherToken: Address
beforeAll(async () => {
  world = await openRegister()
  ;[, wallet, other] = world.accounts as [Address, Address, Address]
  otherToken = await world.deploy('MoodyToken')
  for (const from of [wallet, other]) {
    await world.send({ from, to: usdt, data: approveData(register.address) })
    await world.send({ from, to: otherToken, data: approveData(register.address) })
    await world.send({ from, to: otherToken, data: mintData(from, 1_000_000n) })
  }
})
beforeEach(() => world.startAnew())
afterAll(() => world?.stop())

const usdt = usdtOnBsc
const pay = (
  debts: Debt[],
  { from = wallet, token = usdt, validUntil = undefined as bigint | undefined } = {},
) => world.send({ from, data: payUpToData(token, debts, validUntil) })
const waive = (debts: Debt[]) => world.send({ from: wallet, data: waiveData(usdt, debts) })
const paidTo = (...numbers: number[]) =>
  Promise.all(numbers.map((number) => world.paid(wallet, usdt, person(number))))

test('pays each debtor from the wallet straight to the payee, and keeps nothing', async () => {
  const { ok, logs } = await pay([owe(1, 5n), owe(2, 7n, person(9))])
  expect(ok).toBe(true)
  const ours = { event: 'Paid', wallet, token: usdt }
  expect(logs).toEqual([
    { ...ours, debtor: person(1), payee: person(1), amount: 5n, total: 5n },
    { event: 'Transfer', from: wallet, to: person(1), value: 5n },
    { ...ours, debtor: person(2), payee: person(9), amount: 7n, total: 7n },
    { event: 'Transfer', from: wallet, to: person(9), value: 7n },
  ])
  expect(await paidTo(1, 2, 9)).toEqual([5n, 7n, 0n])
})

test('a call that is sent again pays nothing and leaves no log, and a smaller total neither', async () => {
  await pay([owe(1, 5n), owe(2, 7n)])
  expect(await pay([owe(1, 5n), owe(2, 7n)])).toMatchObject({ ok: true, logs: [] })
  expect(await pay([owe(1, 4n), owe(2, 0n)])).toMatchObject({ ok: true, logs: [] })
  expect(await pay([owe(1, 5n, person(8))])).toMatchObject({ ok: true, logs: [] })
  expect(await paidTo(1, 2)).toEqual([5n, 7n])
})

test('a total that has grown pays the difference; those beside it that have not are passed over', async () => {
  await pay([owe(1, 5n), owe(2, 7n), owe(3, 1n)])
  const { logs } = await pay([owe(1, 5n), owe(2, 10n, person(9)), owe(3, 0n), owe(4, 2n)])
  expect(logs).toMatchObject([
    { event: 'Paid', amount: 3n, total: 10n },
    { event: 'Transfer', value: 3n },
    { event: 'Paid', amount: 2n, total: 2n },
    { event: 'Transfer', value: 2n },
  ])
  expect(await paidTo(1, 2, 3, 4)).toEqual([5n, 10n, 1n, 2n])
})

test.each([
  ['twice', [owe(1, 5n), owe(2, 7n), owe(2, 7n)], 2],
  ['twice, with a total that pays nothing', [owe(1, 5n), owe(2, 7n), owe(2, 0n)], 2],
  ['before one with a lower address', [owe(2, 7n), owe(3, 7n), owe(1, 5n)], 1],
  ['in another order, apart', [owe(1, 7n), owe(3, 7n), owe(1, 7n)], 1],
])('nobody is paid by a call that names a debtor %s', async (_, debts, at) => {
  const call = { from: wallet, data: payUpToData(usdt, debts) }
  expect(await world.refusal(call)).toBe(`NotAscending(${person(at)})`)
  expect(await world.send(call)).toMatchObject({ ok: false, logs: [] })
  expect(await paidTo(1, 2, 3)).toEqual([0n, 0n, 0n])
})

test('the zero address is no debtor', async () => {
  const debts = [{ debtor: pad('0x', { size: 20 }), payee: person(1), total: 5n }]
  expect(await world.refusal({ from: wallet, data: payUpToData(usdt, debts) })).toMatch('NotAscending')
})

test('lists of different lengths are refused, empty ones do nothing', async () => {
  const two = [owe(1, 5n), owe(2, 6n)]
  const payment = payUpToData(usdt, two)
  const waiver = waiveData(usdt, two)
  const shorter = [
    ...[5, 8, 11].map((length) => withWord(payment, length, pad('0x2'), pad('0x1'))),
    ...[3, 6].map((length) => withWord(waiver, length, pad('0x2'), pad('0x1'))),
  ]
  for (const data of shorter) expect(await world.refusal({ from: wallet, data })).toBe('LengthsDiffer()')
  expect(await pay([])).toMatchObject({ ok: true, logs: [] })
  expect(await waive([])).toMatchObject({ ok: true, logs: [] })
})

test('a call runs up to the second of validUntil and never after it, also if it would pay nothing', async () => {
  const last = BigInt(await newestTime(world.url)) + 100n
  await setNextTime(world.url, Number(last))
  expect((await pay([owe(1, 5n)], { validUntil: last })).ok).toBe(true)
  await setNextTime(world.url, Number(last) + 1)
  expect((await pay([owe(1, 6n)], { validUntil: last })).ok).toBe(false)
  for (const debts of [[owe(1, 6n)], [owe(1, 5n)], []])
    expect(await world.refusal({ from: wallet, data: payUpToData(usdt, debts, last) })).toBe(
      `Expired(${last})`,
    )
  expect(await paidTo(1)).toEqual([5n])
})

test('each wallet and each token has books of its own', async () => {
  await pay([owe(1, 5n)])
  expect((await pay([owe(1, 5n)], { from: other })).logs).toMatchObject([{ amount: 5n }, { value: 5n }])
  expect((await pay([owe(1, 5n)], { token: otherToken })).logs).toMatchObject([{ amount: 5n }, { value: 5n }])
  await world.send({ from: other, data: waiveData(usdt, [owe(1, 50n)]) })
  await world.send({ from: wallet, data: waiveData(otherToken, [owe(1, 60n)]) })
  expect(
    await Promise.all([
      world.paid(wallet, usdt, person(1)),
      world.paid(other, usdt, person(1)),
      world.paid(wallet, otherToken, person(1)),
      world.paid(other, otherToken, person(1)),
    ]),
  ).toEqual([5n, 50n, 60n, 0n])
  expect((await pay([owe(1, 6n)])).logs).toMatchObject([{ amount: 1n }, { value: 1n }])
})

test('what is waived moves nothing and is not paid later; the highest total counts, and it never falls', async () => {
  await waive([owe(2, 3n), owe(1, 8n), owe(2, 4n), owe(2, 1n)])
  expect(await paidTo(1, 2)).toEqual([8n, 4n])
  const { logs } = await pay([owe(1, 8n), owe(2, 9n)])
  expect(logs).toMatchObject([
    { event: 'Paid', amount: 5n, total: 9n },
    { event: 'Transfer', value: 5n },
  ])
  await waive([owe(2, 2n), owe(1, 0n)])
  expect(await paidTo(1, 2)).toEqual([8n, 9n])
  await waive([owe(1, 2n ** 256n - 1n)])
  expect(await pay([owe(1, 2n ** 256n - 1n)])).toMatchObject({ ok: true, logs: [] })
})

test('a waiver leaves a log for each total that it raises, and for no other', async () => {
  await pay([owe(3, 5n)])
  const waived = { event: 'Waived', wallet, token: usdt }
  const debts = [owe(2, 3n), owe(1, 8n), owe(2, 4n), owe(2, 1n), owe(3, 5n), owe(4, 0n)]
  expect((await waive(debts)).logs).toEqual([
    { ...waived, debtor: person(2), total: 3n },
    { ...waived, debtor: person(1), total: 8n },
    { ...waived, debtor: person(2), total: 4n },
  ])
  expect(await waive(debts)).toMatchObject({ ok: true, logs: [] })
})

test('all or none: one that cannot be paid leaves nobody paid, with the reason of the token', async () => {
  await world.send({ from: wallet, to: usdt, data: approveData(register.address, 11n) })
  const debts = [owe(1, 5n), owe(2, 7n)]
  const call = { from: wallet, data: payUpToData(usdt, debts) }
  expect(await world.refusal(call)).toBe('Error(BEP20: transfer amount exceeds allowance)')
  expect(await pay(debts)).toMatchObject({ ok: false, logs: [] })
  expect(await paidTo(1, 2)).toEqual([0n, 0n])
  await world.send({ from: wallet, to: usdt, data: approveData(register.address, 12n) })
  expect((await pay(debts)).ok).toBe(true)
  const debt = payUpToData(usdt, [owe(3, 1n)])
  expect(await world.refusal({ from: wallet, data: debt })).toMatch('allowance')
  await world.send({ from: wallet, to: usdt, data: approveData(register.address) })
  const tooMuch = payUpToData(usdt, [owe(3, 10n ** 30n)])
  expect(await world.refusal({ from: wallet, data: tooMuch })).toMatch('exceeds balance')
})

test("a stranger cannot move a wallet's money, though the register has its allowance", async () => {
  const stranger = world.accounts[0] as Address
  expect((await pay([owe(1, 5n)], { from: stranger })).ok).toBe(false)
  expect(await paidTo(1)).toEqual([0n])
})

test('an anchor is one log in the name of its sender and touches no books', async () => {
  const commitment = pad('0xabcdef')
  const data = encodeFunctionData({ abi: registerAbi, functionName: 'anchor', args: [7n, commitment] })
  expect((await world.send({ from: wallet, data })).logs).toEqual([
    { event: 'Anchored', wallet, eventNumber: 7n, commitment },
  ])
  const call = { from: wallet, to: register.address, data }
  expect(await rpc(world.url, 'eth_createAccessList', [call])).toMatchObject({ accessList: [] })
})

test('takes no coins', async () => {
  const coins = { from: wallet, to: register.address, value: '0x1' }
  await expect(rpc(world.url, 'eth_call', [coins])).rejects.toThrow('revert')
  const withCall = { ...coins, data: payUpToData(usdt, []) }
  await expect(rpc(world.url, 'eth_call', [withCall])).rejects.toThrow('revert')
})

test.each([1, 100, 180])('%i new payees cost less than 12,000,000 gas', async (count) => {
  const debts = Array.from({ length: count }, (_, index) => owe(1000 + index, 3n * 10n ** 18n))
  const { ok, gas } = await pay(debts)
  console.log(`register: ${count} payees, ${gas} gas`)
  expect(ok).toBe(true)
  expect(gas).toBeLessThan(12_000_000n)
})

/** Calldata with another word, which has to be there, at this place. */
function withWord(data: Hex, index: number, old: Hex, word: Hex): Hex {
  const at = 10 + index * 64
  expect(`0x${data.slice(at, at + 64)}`).toBe(old)
  return `${data.slice(0, at)}${word.slice(2)}${data.slice(at + 64)}` as Hex
}
