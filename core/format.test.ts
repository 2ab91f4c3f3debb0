import { expect, test } from 'vitest'
import { shorten } from './money.ts'

test('long texts keep both ends, short ones stay whole', () => {
  expect(shorten('0x7c3e0000000091Fd', 4, 4)).toBe('0x7c…91Fd')
  expect(shorten('0x1234', 4, 4)).toBe('0x1234')
  expect(shorten('0x8e41c09fd27a5b1300', 16, 0)).toBe('0x8e41c09fd27a5b…')
})
