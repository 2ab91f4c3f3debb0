import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { exchangeWallets } from './exchanges.ts'
import { isContractCode, isOfferable, refundHolds, whyNotRefunded } from './rules.ts'
import {
  encodeIsValidSignature,
  isMagicValue,
  readdressMessage,
  readdressTypedData,
  recoverProof,
} from './signature.ts'

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

test('only rows that wait and are not held are offered', () => {
  expect(isOfferable({ state: 'planned', reason: null })).toBe(true)
  expect(isOfferable({ state: 'failed', reason: 'replaced' })).toBe(true)
  for (const reason of [...refundHolds, 'covered', 'unchecked'] as const)
    expect(isOfferable({ state: 'planned', reason })).toBe(false)
  for (const state of ['offered', 'sent', 'settled'] as const)
    expect(isOfferable({ state, reason: null })).toBe(false)
})

test('code other than a delegation makes a contract; the listed wallets are addresses in lower case', () => {
  expect(isContractCode(undefined)).toBe(false)
  expect(isContractCode('0x')).toBe(false)
  expect(isContractCode(`0xef0100${'ab'.repeat(20)}`)).toBe(false)
  expect(isContractCode(`0xef0100${'ab'.repeat(21)}`)).toBe(true)
  expect(isContractCode('0x6080')).toBe(true)
  for (const wallet of exchangeWallets) expect(wallet).toMatch(/^0x[0-9a-f]{40}$/)
  expect(new Set(exchangeWallets).size).toBe(exchangeWallets.length)
})

const payer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const wish = { chainId: 56, rowId: 7, payer: payer.address, recipient: stranger.address }

test("R5 another address is accepted only with the payer's signature, for this row and chain", async () => {
  const personal = await payer.signMessage({ message: readdressMessage(wish) })
  const typed = await payer.signTypedData(readdressTypedData(wish))
  expect(await recoverProof(wish, personal)).toBe('personal')
  expect(await recoverProof(wish, typed)).toBe('typed')
  expect(await recoverProof({ ...wish, rowId: 8 }, personal)).toBeUndefined()
  expect(await recoverProof({ ...wish, chainId: 97 }, typed)).toBeUndefined()
  expect(await recoverProof({ ...wish, recipient: payer.address }, typed)).toBeUndefined()
  const foreign = await stranger.signMessage({ message: readdressMessage(wish) })
  expect(await recoverProof(wish, foreign)).toBeUndefined()
  expect(await recoverProof(wish, '0x1234')).toBeUndefined()
})

test('a contract is asked by ERC-1271 and must answer the magic value', () => {
  expect(encodeIsValidSignature(`0x${'ab'.repeat(32)}`, '0x0102')).toBe(
    `0x1626ba7e${'ab'.repeat(32)}${'40'.padStart(64, '0')}${'2'.padStart(64, '0')}${'0102'.padEnd(64, '0')}`,
  )
  expect(isMagicValue(`0x1626ba7e${'0'.repeat(56)}`)).toBe(true)
  for (const answer of ['0x', '0x1626ba7e', `0xffffffff${'0'.repeat(56)}`] as const)
    expect(isMagicValue(answer)).toBe(false)
})
