import { expect, test } from 'vitest'
import { describe, nameOf } from './changes.ts'

const at = '2025-09-30T12:00:00.000Z'
const told = (field: string, from: string | null, to: string | null) => {
  const change = { eventNumber: 1, at, field, from, to }
  return `${nameOf(change)}: ${describe(change)}`
}

test('each kind of change has a readable sentence', () => {
  expect(told('drawDate', null, at)).toBe('Draw date: Not Set → September 30, 2025 at 12:00 PM UTC')
  expect(told('minTicketsForDraw', '100', '1000')).toBe('Minimum number of tickets: 100 → 1,000')
  expect(told('winner', 'announced', 'cleared')).toBe('Winner announcement: announced → cleared')
  expect(told('ledger', null, `0x${'ab'.repeat(32)}`)).toBe(
    'Ticket list: Frozen before the draw, with its SHA-256 in public',
  )
  expect(told('operatorWallet', null, `0x${'ab'.repeat(20)}`)).toBe('Operator wallet: 0xabab…abab')
  expect(told('refundMode', null, 'on')).toBe('Refund mode: on')
  expect(told('prizes', 'goods', '3: 500 USDT')).toBe('Kind of the prizes: goods → 3: 500 USDT')
})
