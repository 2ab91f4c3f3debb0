import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import type { PublicSolvency } from '../../../core/live/solvency.ts'
import { coverWord, culprit } from './cover.ts'

const hash = (digit: string): Hash => `0x${digit.repeat(64)}`
const at = '2055-09-30T12:00:00.000Z'
const told = Date.parse(at)
const wallet = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const other = { transactionHash: hash('b'), from: wallet, to: wallet, units: '5', at } as const

const solvency = (change: Partial<PublicSolvency> = {}): PublicSolvency => ({
  ...{ eventNumber: 1, state: 'covered', token: wallet, held: '10', required: '9', cover: '1' },
  block: { number: 7, hash: hash('a'), timestamp: told / 1000 },
  ...{ ratioBp: 11_111, wallets: [{ address: wallet, held: '10' }], lowest: null, others: [] },
  owed: { leftovers: '0', refunds: '0', credited: '9', prizes: '0' },
  outflow: { refund: '0', prize: '0', own: '0', other: '0' },
  ...{ equation: 'holds', shortSince: null, dust: '0', promised: [] },
  ...change,
})

test('cover is said of a fresh block alone; what is short is said however old it is', () => {
  const wordAt = (ms: number, change: Partial<PublicSolvency> = {}) => coverWord(solvency(change), told + ms)
  expect(coverWord(undefined, told)).toBe('loading')
  expect([wordAt(0), wordAt(300_000), wordAt(300_001)]).toEqual(['covered', 'covered', 'stale'])
  expect(wordAt(86_400_000, { state: 'short' })).toBe('short')
})

test('what was not reckoned, or does not add up, is unknown and never covered', () => {
  expect(coverWord(solvency({ state: 'unknown' }), told)).toBe('unknown')
  expect(coverWord(solvency({ block: null }), told)).toBe('unknown')
  expect(coverWord(solvency({ equation: 'broken' }), told)).toBe('unknown')
  expect(coverWord(solvency({ equation: 'unknown' }), told)).toBe('covered')
})

test('short names the transaction since which it is, not a small one that followed, else that of the lowest point', () => {
  const lowest = { cover: '-5', at, block: 9, transactionHash: hash('c') }
  const shortSince = { at, block: 7, transactionHash: hash('d') }
  const short: Partial<PublicSolvency> = { state: 'short', cover: '-1', lowest, shortSince, others: [other] }
  expect(culprit(solvency(short))).toEqual(shortSince)
  expect(culprit(solvency({ ...short, shortSince: null }))).toEqual(lowest)
  expect(culprit(solvency({ ...short, shortSince: null, lowest: null, others: [] }))).toBeUndefined()
  expect(culprit(solvency({ lowest, others: [other] }))).toBeUndefined()
})
