import { expect, test } from 'vitest'
import { encodeIsValidSignature, isMagicValue } from '../event/wallet-proof.ts'
import exchanges from './exchanges.json'
import { isContractCode, whyNotRefunded } from './rules.ts'

test('R6 an event is refunded in refund mode alone, never with a winner', () => {
  const open = {
    isRefundMode: false,
    isDrawn: false,
    isFrozen: false,
    isDue: false,
    ticketsSold: 5,
    minTickets: 10,
  }
  const code = (more: Partial<typeof open>) => whyNotRefunded({ ...open, ...more })?.code
  expect(code({})).toBe('SALES_OPEN')
  expect(code({ isFrozen: true })).toBe('SALES_OPEN')
  expect(code({ ticketsSold: 10 })).toBe('MIN_REACHED')
  expect(code({ isFrozen: true, isDue: true })).toBe('NOT_FINAL')
  expect(code({ isFrozen: true, isDue: true, ticketsSold: 0 })).toBe('NOTHING_TO_REFUND')
  expect(code({ isDrawn: true, isRefundMode: true, isFrozen: true })).toBe('WINNER_EXISTS')
  expect(code({ isRefundMode: true })).toBe('NOT_FINAL')
  expect(code({ isRefundMode: true, isFrozen: true })).toBeUndefined()
  expect(code({ isRefundMode: true, isFrozen: true, ticketsSold: 10 })).toBeUndefined()
})

test('code other than a delegation makes a contract; the listed wallets are addresses in lower case', () => {
  expect(isContractCode(undefined)).toBe(false)
  expect(isContractCode('0x')).toBe(false)
  expect(isContractCode(`0xef0100${'ab'.repeat(20)}`)).toBe(false)
  expect(isContractCode(`0xef0100${'ab'.repeat(21)}`)).toBe(true)
  expect(isContractCode('0x6080')).toBe(true)
  const exchangeWallets = Object.values(exchanges).flat()
  for (const wallet of exchangeWallets) expect(wallet).toMatch(/^0x[0-9a-f]{40}$/)
  expect(new Set(exchangeWallets).size).toBe(exchangeWallets.length)
})

test('a contract is asked by ERC-1271 and must answer the magic value', () => {
  expect(encodeIsValidSignature(`0x${'ab'.repeat(32)}`, '0x0102')).toBe(
    `0x1626ba7e${'ab'.repeat(32)}${'40'.padStart(64, '0')}${'2'.padStart(64, '0')}${'0102'.padEnd(64, '0')}`,
  )
  expect(isMagicValue(`0x1626ba7e${'0'.repeat(56)}`)).toBe(true)
  for (const answer of ['0x', '0x1626ba7e', `0xffffffff${'0'.repeat(56)}`] as const)
    expect(isMagicValue(answer)).toBe(false)
})
