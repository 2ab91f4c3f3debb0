import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { encodeBalanceOf } from '../../../wallet/transfer.ts'
import { encodeAllowance } from './encode.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)

test('our questions to the token are the same calldata as those of viem', () => {
  fc.assert(
    fc.property(address, address, (a, b) => {
      expect(encodeBalanceOf(a)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [a] }),
      )
      expect(encodeAllowance(a, b)).toBe(
        encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [a, b] }),
      )
    }),
  )
})
