import { expect, test } from 'vitest'
import { salePhase } from './stage.ts'

const end = Date.parse('2025-09-29T12:00:00Z')
const config = {
  saleEndDate: '2025-09-29T12:00:00Z',
  saleLeadSeconds: 86_400,
  salesPaused: false,
  isRefundMode: false,
  isSoon: false,
}
const before = (ms: number) => salePhase(config, end - ms)

test('warns two minutes before the end and closes 15 seconds before it', () => {
  expect([120_001, 120_000, 15_001, 15_000, -1].map(before)).toEqual([
    'open',
    'closing',
    'closing',
    'closed',
    'closed',
  ])
})

test('with a short lead the button closes at half of it', () => {
  const short = { ...config, saleLeadSeconds: 10 }
  expect(salePhase(short, end - 5_001)).toBe('closing')
  expect(salePhase(short, end - 5_000)).toBe('closed')
})

test('stays open without a date, and says when sales are paused', () => {
  expect(salePhase({ ...config, saleEndDate: null }, end * 2)).toBe('open')
  expect(salePhase({ ...config, salesPaused: true }, 0)).toBe('paused')
  expect(salePhase({ ...config, isRefundMode: true }, 0)).toBe('closed')
  expect(salePhase({ ...config, isSoon: true }, 0)).toBe('soon')
})
