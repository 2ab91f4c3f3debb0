import { afterEach, expect, test, vi } from 'vitest'
import { usdtOnBsc } from '../../../core/chain/register.ts'
import { isOtherMoney, isSwapped } from './pinned.ts'

const wallet = `0x${'0f'.repeat(20)}` as const
const other = `0x${'ee'.repeat(20)}` as const
const honest = { operatorWallet: wallet, tokenAddress: usdtOnBsc, chainId: 56 }

afterEach(() => {
  vi.unstubAllEnvs()
})

test('I30: a page built without a named token accepts only USDT on chain 56', () => {
  expect(isSwapped(honest)).toBe(false)
  expect(isSwapped({ ...honest, tokenAddress: usdtOnBsc.toLowerCase() as `0x${string}` })).toBe(false)
  expect(isSwapped({ ...honest, tokenAddress: other })).toBe(true)
  expect(isSwapped({ ...honest, chainId: 97 })).toBe(true)
})

test('I30: the values compiled into the page decide', () => {
  vi.stubEnv('PUBLIC_USDT_ADDRESS', other)
  expect(isSwapped(honest)).toBe(true)
  expect(isSwapped({ ...honest, tokenAddress: other })).toBe(false)
  vi.stubEnv('PUBLIC_OPERATOR_WALLET', other)
  expect(isSwapped({ ...honest, tokenAddress: other })).toBe(true)
  expect(isSwapped({ ...honest, tokenAddress: other, operatorWallet: other })).toBe(false)
})

test('money goes back in the compiled token and chain alone, from whatever wallet', () => {
  vi.stubEnv('PUBLIC_OPERATOR_WALLET', other)
  const { tokenAddress, chainId } = honest
  expect(isOtherMoney({ tokenAddress, chainId })).toBe(false)
  expect(isOtherMoney({ tokenAddress: other, chainId })).toBe(true)
  expect(isOtherMoney({ tokenAddress, chainId: 97 })).toBe(true)
})
