import { decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { encodeTransfer, purchaseTotal } from './transfer.ts'

const operator = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('encodes the same calldata as viem', () => {
  for (const units of [1n, 99n * 10n ** 18n, 2n ** 256n - 1n]) {
    const data = encodeTransfer(operator, units)
    expect(data).toBe(
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [operator, units] }),
    )
    expect(decodeFunctionData({ abi: erc20Abi, data }).args).toEqual([operator, units])
  }
})

test('refuses invalid addresses and amounts that no transfer can carry', () => {
  expect(() => encodeTransfer('0x1234', 1n)).toThrow(TypeError)
  expect(() => encodeTransfer(`${operator}00`, 1n)).toThrow(TypeError)
  for (const units of [0n, -1n, 2n ** 256n]) expect(() => encodeTransfer(operator, units)).toThrow(RangeError)
})

test('33 tickets at 3 USDT are 9900 hundredths and 99 whole tokens', () => {
  expect(purchaseTotal(33, 3)).toEqual({ cents: 9900n, units: 99n * 10n ** 18n })
})

test('prices with cents stay exact', () => {
  expect(purchaseTotal(3, 2.5).cents).toBe(750n)
  expect(purchaseTotal(1_000_001, 0.29).cents).toBe(29_000_029n)
  expect(purchaseTotal(10_000_000_000, 1.1).units).toBe(11_000_000_000n * 10n ** 18n)
})
