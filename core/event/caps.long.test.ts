import { expect, test } from 'vitest'
import { leftUnder, wrongCaps } from './caps.ts'

test('caps leave the minimum within reach, and no wallet may have more than all', () => {
  const wrong = (maxTickets: number | null, maxPerWallet: number | null, minTickets = 100) =>
    wrongCaps({ maxTickets, maxPerWallet, minTickets })?.field
  expect(wrong(null, null)).toBeUndefined()
  expect(wrong(100, 100)).toBeUndefined()
  expect(wrong(99, null)).toBe('maxTickets')
  expect(wrong(100, 101)).toBe('maxPerWallet')
  expect(wrong(null, 1)).toBeUndefined()
})

test('what is left is never below nothing', () => {
  const caps = { maxTickets: 12, maxPerWallet: 5 }
  expect(leftUnder(caps, { sold: 10, held: 5 })).toEqual({ inTotal: 2, ofWallet: 0 })
  expect(leftUnder(caps, { sold: 13, held: 6 })).toEqual({ inTotal: 0, ofWallet: 0 })
  expect(leftUnder({ maxTickets: null, maxPerWallet: null }, { sold: 10, held: 5 })).toEqual({
    inTotal: 1_999_999_990,
    ofWallet: 1_999_999_995,
  })
})
