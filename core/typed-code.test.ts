import { expect, test } from 'vitest'
import { normalizeClaimCode } from './prize/claim.ts'
import { typedCode } from './typed-code.ts'

test.each([
  '123456',
  ' 123456',
  '123 456\n',
  '123-456',
  '123–456',
  '123\u00a0456',
  '１２３４５６',
  '１２３　４５６',
  '\u200b123\u2060456\u202c',
])('%j is the code 123456', (typed) => {
  expect(typedCode(typed)).toBe('123456')
})

test('what is no separator stays, so that it can be refused', () => {
  expect(['12a456', '123.456', '123456;'].map(typedCode)).toEqual(['12a456', '123.456', '123456;'])
})

test.each(['abcd-0123-wxyz-7', 'ａｂｃｄ　０１２３－ｗｘｙｚ ７', ' abcd\u20110l23\twxyz7 '])(
  'the claim code %j is ABCD-0123-WXYZ-7',
  (typed) => {
    expect(normalizeClaimCode(typed)).toBe('ABCD-0123-WXYZ-7')
  },
)
