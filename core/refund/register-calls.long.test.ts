import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { registerAbi } from '../chain/register.ts'
import { encodeApprove, encodePayUpTo, encodeWaive } from './register-calls.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const debt = fc.record({ debtor: address, payee: address, total: units })

test('our functions write the same calldata as viem', () => {
  fc.assert(
    fc.property(
      address,
      units,
      fc.array(debt, { maxLength: 12 }),
      fc.nat({ max: 2 ** 31 }),
      (token, value, debts, validUntil) => {
        expect(encodeApprove(token, value)).toBe(
          encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [token, value] }),
        )
        const debtors = debts.map(({ debtor }) => debtor)
        const payees = debts.map(({ payee }) => payee)
        const totals = debts.map(({ total }) => total)
        expect(encodePayUpTo(token, debts, validUntil)).toBe(
          encodeFunctionData({
            ...{ abi: registerAbi, functionName: 'payUpTo' },
            args: [token, debtors, payees, totals, BigInt(validUntil)],
          }),
        )
        expect(encodeWaive(token, debts)).toBe(
          encodeFunctionData({ abi: registerAbi, functionName: 'waive', args: [token, debtors, totals] }),
        )
      },
    ),
  )
})

test('refuses invalid addresses and amounts', () => {
  const someone: Address = `0x${'1'.repeat(40)}`
  expect(() => encodeApprove('0x1234', 1n)).toThrow(TypeError)
  expect(() => encodeApprove(someone, 2n ** 256n)).toThrow(RangeError)
  const wrong = { debtor: someone, payee: '0x12' as Address, total: 1n }
  expect(() => encodePayUpTo(someone, [wrong], 1)).toThrow(TypeError)
  expect(() => encodeWaive(someone, [{ ...wrong, total: 2n ** 256n }])).toThrow(RangeError)
})
