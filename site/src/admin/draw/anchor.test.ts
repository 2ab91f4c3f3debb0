import { decodeFunctionData, erc20Abi, getAddress, type Hex, size, slice } from 'viem'
import { expect, test } from 'vitest'
import { anchorData } from './anchor.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const sha256 = `0x${'ab'.repeat(32)}` as const

test('an anchor transfers zero to the operator wallet itself and ends with the fingerprint', () => {
  const data = anchorData(wallet, sha256)
  expect(size(data)).toBe(4 + 32 + 32 + 32)
  expect(slice(data, -32)).toBe(sha256)
  const call = decodeFunctionData({ abi: erc20Abi, data: slice(data, 0, 68) as Hex })
  expect(call).toEqual({ functionName: 'transfer', args: [getAddress(wallet), 0n] })
})

test('an invalid wallet or fingerprint is refused', () => {
  expect(() => anchorData('0x1234', sha256)).toThrow('not an address')
  for (const wrong of ['', '0x', `0x${'ab'.repeat(31)}`, 'z'.repeat(64)])
    expect(() => anchorData(wallet, wrong)).toThrow('not a fingerprint')
})
