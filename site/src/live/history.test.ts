import { expect, test } from 'vitest'
import { dollars, hasWinner, shortDate, shownHistory } from './stage.ts'

const item = (id: number, eventNumber: number) => ({
  id,
  eventNumber,
  drawDate: null,
  winnerWallet: null,
  winnerTransactionHash: null,
  randomNumber: null,
  winners: [],
  prizes: [],
  names: [],
  picture: null,
})

test('shows past events newest first and leaves out items without an id or number', () => {
  const items = [item(1, 1), item(3, 3), item(0, 9), item(9, 0), item(2, 2)]
  expect(shownHistory(items).map(({ eventNumber }) => eventNumber)).toEqual([3, 2, 1])
})

test('a winner needs a wallet longer than 10 characters', () => {
  const winner = (walletAddress: string) => ({ walletAddress }) as Parameters<typeof hasWinner>[0]
  expect([null, undefined, winner('0x12345678'), winner('0x123456789')].map(hasWinner)).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test('formats dates and values as the screens show them', () => {
  expect(shortDate('2025-09-30T12:00:00Z')).toBe('09/30 12:00')
  expect([shortDate(null), shortDate('soon')]).toEqual(['Not Set', 'Invalid Date'])
  expect(['$2,500', '2,500', ' ', null].map(dollars)).toEqual(['$2,500', '$2,500', 'TBA', 'TBA'])
})
