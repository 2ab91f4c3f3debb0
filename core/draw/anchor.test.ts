import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { registerAbi } from '../chain/register.ts'
import { encodeAnchor } from './anchor.ts'

const book = `0x${'cd'.repeat(32)}` as const
const commitment = `0x${'ab'.repeat(32)}` as const

test('the calldata of an anchor is that of the register', () => {
  const data = encodeFunctionData({ abi: registerAbi, functionName: 'anchor', args: [book, 7n, commitment] })
  expect(encodeAnchor(book, 7, commitment)).toBe(data)
  expect(encodeAnchor(`0x${'CD'.repeat(32)}`, 7, `0x${'AB'.repeat(32)}`)).toBe(data)
})

test('an invalid book, event or commitment is refused', () => {
  for (const wrong of [0, -1, 1.5, Number.NaN])
    expect(() => encodeAnchor(book, wrong, commitment)).toThrow('not an event')
  for (const wrong of ['', '0x', `0x${'ab'.repeat(31)}`, 'z'.repeat(64)]) {
    expect(() => encodeAnchor(book, 1, wrong)).toThrow('not a commitment')
    expect(() => encodeAnchor(wrong, 1, commitment)).toThrow('not a book')
  }
})
