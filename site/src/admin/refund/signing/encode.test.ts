import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { encodeBalanceOf } from '../../../wallet/transfer.ts'
import { encodeAllowance, encodeApprove, encodeDisperse } from './encode.ts'

const disperseAbi = parseAbi([
  'function disperseTokenSimple(address token, address[] recipients, uint256[] values)',
])
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

test('our functions write the same calldata as viem', () => {
  fc.assert(
    fc.property(
      address,
      address,
      units,
      fc.array(fc.record({ to: address, units }), { maxLength: 12 }),
      (a, b, value, rows) => {
        expect(encodeApprove(a, value)).toBe(
          encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [a, value] }),
        )
        expect(encodeBalanceOf(a)).toBe(
          encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [a] }),
        )
        expect(encodeAllowance(a, b)).toBe(
          encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [a, b] }),
        )
        const args = [a, rows.map(({ to }) => to), rows.map(({ units: value }) => value)] as const
        expect(encodeDisperse(a, rows)).toBe(
          encodeFunctionData({ abi: disperseAbi, functionName: 'disperseTokenSimple', args }),
        )
      },
    ),
  )
})

test('refuses invalid addresses and amounts', () => {
  expect(() => encodeApprove('0x1234', 1n)).toThrow(TypeError)
  expect(() => encodeApprove(`0x${'1'.repeat(40)}`, 2n ** 256n)).toThrow(RangeError)
  expect(() => encodeDisperse(`0x${'1'.repeat(40)}`, [{ to: '0x12', units: 1n }])).toThrow(TypeError)
})
