import { expect, test } from 'vitest'
import { bnbText, missing, readBalances } from './balances.ts'

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x55d398326f99059fF775485246999027B3197955'

test('asks the wallet for the token, the coin and the price of gas', async () => {
  const asked: unknown[] = []
  const answers: Record<string, string> = { eth_call: '0x10', eth_getBalance: '0x20', eth_gasPrice: '0x2' }
  const provider = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      asked.push(params)
      return answers[method]
    },
  }
  expect(await readBalances(provider, owner, token)).toEqual({ usdt: 16n, bnb: 32n, fee: 180_000n })
  expect(asked[0]).toEqual([
    { to: token, data: `0x70a08231${'0'.repeat(24)}70997970c51812dc3a010c7d01b50e0d17dc79c8` },
    'latest',
  ])
})

test('an invalid answer of the wallet is an error', async () => {
  await expect(readBalances({ request: async () => '0x' }, owner, token)).rejects.toThrow()
  await expect(readBalances({ request: async () => null }, owner, token)).rejects.toThrow()
})

test('reports what is missing before anything is signed', () => {
  const rich = { usdt: 10n, bnb: 10n, fee: 10n }
  expect(missing(rich, 10n)).toBeUndefined()
  expect(missing(rich, 11n)).toBe('usdt')
  expect(missing({ ...rich, bnb: 9n }, 10n)).toBe('bnb')
  expect(missing({ usdt: 0n, bnb: 0n, fee: 0n }, 1n)).toBe('both')
})

test('BNB is cut to four decimals', () => {
  expect([0n, 5n * 10n ** 17n, 123_999_999_999_999_999n, 10_000n * 10n ** 18n].map(bnbText)).toEqual([
    ...['0', '0.5', '0.1239', '10,000'],
  ])
})
