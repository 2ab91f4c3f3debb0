import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deployer, register } from '../../../../../core/chain/register.ts'
import { openTestChain, operator, type TestChain } from '../../../../../e2e/lab/chain.ts'
import { scriptedWallet } from '../../../../../e2e/lab/refund-wallet.ts'
import { mintData, transfersBetween, usdt } from '../../../../../e2e/lab/usdt.ts'
import { payByRegister } from './pay-by-register.ts'
import { deployRegister, readRegister, waive } from './register.ts'
import { readAllowance, readNonce, takeBackAllowance } from './wallet.ts'

let chain: TestChain
let snapshot: unknown
beforeAll(async () => {
  chain = await openTestChain({ history: false })
  await chain.submit({ from: operator, to: usdt, data: mintData(operator, 10n ** 24n) })
  await chain.mine()
})
beforeEach(async () => {
  if (snapshot) await chain.rpc('evm_revert', [snapshot])
  snapshot = await chain.rpc('evm_snapshot')
})
afterAll(() => chain?.stop())

const terms = { chainId: 56, token: usdt, wallet: operator }
const wallet = (more: Partial<Parameters<typeof scriptedWallet>[0]> = {}) =>
  scriptedWallet({ url: chain.url, account: operator, ...more })
const payee = (number: number): Address => numberToHex(0xd00000 + number, { size: 20 })
/** Each of them is owed one more than the one before. */
const offerOf = (from: number, count: number, owed = 1n) => ({
  ...{ address: register.address, token: usdt, validUntil: 4_000_000_000 },
  debtors: Array.from({ length: count }, (_, index) => ({
    ...{ debtor: payee(from + index), payee: payee(from + index) },
    ...{ total: `${owed}`, units: `${owed}` },
  })),
})
async function pay(own: ReturnType<typeof wallet>, more: Partial<Parameters<typeof payByRegister>[1]> = {}) {
  return payByRegister(own.provider, {
    ...{ terms, offer: offerOf(0, 3), later: 0n, everyMs: 5 },
    ...{ isLeft: () => false, onAsk: () => undefined },
    nonce: await readNonce(own.provider, operator),
    ...more,
  })
}
const allowance = () => readAllowance(wallet().provider, usdt, operator, register.address)
const paidTo = async () => {
  const found = (await transfersBetween(chain.url, { from: operator })).filter(({ to }) => to !== operator)
  return found.map(({ to, units }) => [to, units])
}

test('the register is called only where its code lies; the deployer, and one signature, put it there', async () => {
  const own = wallet()
  expect(await readRegister(own.provider)).toBe('ready')
  const codeOf = (address: Address) => chain.rpc<Hex>('eth_getCode', [address, 'latest'])
  const put = (address: Address, code: Hex) => chain.rpc('anvil_setCode', [address, code])
  const code = await codeOf(register.address)
  await put(register.address, `${code.slice(0, -2)}00` as Hex)
  expect(await readRegister(own.provider)).toBe('different')
  expect(await deployRegister(own.provider, operator)).toBe('different')
  await put(register.address, '0x')
  const deployers = await codeOf(deployer.address)
  await put(deployer.address, `${deployers.slice(0, -2)}00` as Hex)
  expect(await readRegister(own.provider)).toBe('no-deployer')
  expect(await deployRegister(own.provider, operator)).toBe('no-deployer')
  await put(deployer.address, deployers)
  expect(await readRegister(own.provider)).toBe('missing')
  expect(own.signatures()).toBe(0)
  own.next('reject')
  expect(await deployRegister(own.provider, operator)).toEqual({ kind: 'rejected' })
  expect(await deployRegister(own.provider, operator, { everyMs: 5 })).toBe('ready')
  expect([own.signatures(), await codeOf(register.address)]).toEqual([2, code])
})

test('300 payees take three signatures, each below 12,000,000 gas, and leave no allowance', async () => {
  const own = wallet()
  const gas: bigint[] = []
  own.afterSending(async () => {
    await chain.mine()
    const block = await chain.rpc<{ gasUsed: Hex }>('eth_getBlockByNumber', ['latest', false])
    gas.push(BigInt(block.gasUsed))
  })
  expect(await pay(own, { offer: offerOf(0, 180), later: 120n })).toMatchObject({
    ...{ kind: 'sent', signatures: 2 },
  })
  expect(await pay(own, { offer: offerOf(180, 120) })).toMatchObject({ kind: 'sent', signatures: 1 })
  expect(gas.filter((used) => used >= 12_000_000n)).toEqual([])
  expect(await paidTo()).toHaveLength(300)
  expect([own.signatures(), await allowance()]).toEqual([3, 0n])
})

test('a call that is signed an hour late pays nobody twice, also by a wallet that picks its own nonces', async () => {
  const own = wallet({ picksNonces: true })
  const late = Promise.withResolvers<void>()
  own.next('sign', { until: late.promise })
  const first = pay(own)
  await expect.poll(() => own.signatures()).toBe(2)
  expect(await pay(own)).toMatchObject({ kind: 'sent', signatures: 1 })
  late.resolve()
  expect(await first).toMatchObject({ kind: 'sent' })
  expect(await paidTo()).toEqual([0, 1, 2].map((at) => [payee(at), 1n]))
})

test('an old allowance is replaced by the exact sum, and what is left can be taken back', async () => {
  const own = wallet()
  expect(await pay(own, { later: 50n })).toMatchObject({ kind: 'sent' })
  expect(await allowance()).toBe(50n)
  expect(await pay(own, { offer: offerOf(3, 2) })).toMatchObject({ kind: 'sent', signatures: 2 })
  expect(await allowance()).toBe(0n)
  await pay(own, { offer: offerOf(5, 1), later: 7n })
  expect(await takeBackAllowance(own.provider, terms, { everyMs: 5 })).toMatchObject({ kind: 'sent' })
  expect(await allowance()).toBe(0n)
})

test('without the allowance the call is not asked for, nor after the page has stopped waiting', async () => {
  const own = wallet()
  own.next('reject')
  expect(await pay(own)).toEqual({ kind: 'rejected', signatures: 0 })
  // Its answer is lost, but the allowance is there: it is not asked for again.
  own.next('lose')
  expect(await pay(own)).toEqual({ kind: 'not-allowed', signatures: 0 })
  let hasAsked = false
  const left = { isLeft: () => hasAsked, onAsk: () => (hasAsked = true) }
  expect(await pay(own, { ...left, offer: offerOf(3, 4) })).toEqual({ kind: 'left', signatures: 1 })
  expect([own.signatures(), await paidTo()]).toEqual([3, []])
  expect(await pay(own, { offer: offerOf(3, 4) })).toMatchObject({ kind: 'sent', signatures: 1 })
})

test('a call that the chain would not take is not asked for', async () => {
  const own = wallet()
  const offer = { ...offerOf(0, 1), validUntil: 1 }
  expect(await pay(own, { offer })).toEqual({ kind: 'refused', signatures: 1 })
  expect(own.signatures()).toBe(1)
})

test('what a wallet has waived it pays no more', async () => {
  const own = wallet()
  expect(
    await waive(own.provider, {
      ...{ wallet: operator, token: usdt },
      debtors: [{ debtor: payee(1), total: '1' }],
    }),
  ).toMatchObject({ kind: 'sent' })
  await pay(own)
  expect(await paidTo()).toEqual([0, 2].map((at) => [payee(at), 1n]))
})
