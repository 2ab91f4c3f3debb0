import { expect, test } from 'vitest'
import { curveOf, isOver, type PublicSales, reachedAt, soldRows } from './StepChart.tsx'

const from = '2026-11-01T00:00:00.000Z'
const at = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString()
const sales = (part: Partial<PublicSales> = {}): PublicSales => ({
  ...{ eventNumber: 1, from, to: at(4), bucketSeconds: 3_600, tickets: [10, 10, 50, 100] },
  minTickets: 50,
  ...part,
})

test('each step stands at the end of its span; the line ends where the last count was taken', () => {
  const curve = curveOf(sales(), Date.parse(at(8)))
  expect(curve.line).toBe('M0 1000H125V907H250V907H375V535H500V70')
  expect(curve.newest).toBe('M500 535V70H500')
  expect(curve.minimum).toBe(535)
  expect(curveOf(sales({ tickets: [10, 10, 10, 10] }), Date.parse(at(4))).newest).toBe('M250 1000V814H1000')
})

test('what is sold by when is told to the span, and the table has each span with a sale', () => {
  expect(reachedAt(sales(), 50)).toBe(at(3))
  expect(reachedAt(sales({ to: at(3.5) }), 100)).toBe(at(3.5))
  expect(reachedAt(sales(), 101)).toBeUndefined()
  expect(soldRows(sales())).toEqual([
    { by: at(4), sold: 50, all: 100 },
    { by: at(3), sold: 40, all: 50 },
    { by: at(1), sold: 10, all: 10 },
  ])
})

test('a sale is over once it was counted to its end, or is refunded before', () => {
  const counted = { to: at(3) }
  const open = { isRefundMode: false, saleEndDate: at(4) }
  expect(isOver(counted, undefined)).toBe(false)
  expect(isOver(counted, open)).toBe(false)
  expect(isOver(counted, { ...open, saleEndDate: null })).toBe(false)
  expect(isOver(counted, { ...open, saleEndDate: at(3) })).toBe(true)
  expect(isOver(counted, { ...open, isRefundMode: true })).toBe(true)
})
