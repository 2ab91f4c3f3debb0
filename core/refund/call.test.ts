import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { registerAbi } from '../chain/register.ts'
import { encodeApprove, encodePaid, encodePayUpTo } from './safe-file.ts'

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const address: fc.Arbitrary<Address> = bytes(20)
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const debts = fc.array(fc.record({ debtor: address, total: units }), { maxLength: 12 })

test('our functions write the same calldata as viem', () => {
  const inputs = [bytes(32), address, address, units, debts, fc.nat({ max: 2 ** 31 })] as const
  fc.assert(
    fc.property(...inputs, (book, token, someone, value, owed, validUntil) => {
      expect(encodeApprove(someone, value)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [someone, value] }),
      )
      const [debtors, totals] = [owed.map(({ debtor }) => debtor), owed.map(({ total }) => total)]
      const args = [book, token, debtors, totals, BigInt(validUntil)] as const
      expect(encodePayUpTo(book, token, owed, validUntil)).toBe(
        encodeFunctionData({ abi: registerAbi, functionName: 'payUpTo', args }),
      )
      expect(encodePaid(book, token, someone)).toBe(
        encodeFunctionData({ abi: registerAbi, functionName: 'paid', args: [book, token, someone] }),
      )
    }),
  )
})

test('invalid addresses and amounts are refused', () => {
  const someone: Address = `0x${'1'.repeat(40)}`
  const book: Hex = `0x${'2'.repeat(64)}`
  expect(() => encodeApprove('0x1234', 1n)).toThrow(TypeError)
  expect(() => encodeApprove(someone, 2n ** 256n)).toThrow(RangeError)
  expect(() => encodePayUpTo(book, someone, [{ debtor: '0x12', total: 1n }], 1)).toThrow(TypeError)
  expect(() => encodePayUpTo(book, someone, [{ debtor: someone, total: -1n }], 1)).toThrow(RangeError)
})
