import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { registerAbi } from '../chain/register.ts'
import { encodeAnchor } from './anchor.ts'

const commitment = `0x${'ab'.repeat(32)}` as const

test('the calldata of an anchor is that of the register', () => {
  const data = encodeFunctionData({ abi: registerAbi, functionName: 'anchor', args: [7n, commitment] })
  expect(encodeAnchor(7, commitment)).toBe(data)
  expect(encodeAnchor(7, `0x${'AB'.repeat(32)}`)).toBe(data)
})

test('an invalid event or commitment is refused', () => {
  for (const wrong of [0, -1, 1.5, Number.NaN])
    expect(() => encodeAnchor(wrong, commitment)).toThrow('not an event')
  for (const wrong of ['', '0x', `0x${'ab'.repeat(31)}`, 'z'.repeat(64)])
    expect(() => encodeAnchor(1, wrong)).toThrow('not a commitment')
})
