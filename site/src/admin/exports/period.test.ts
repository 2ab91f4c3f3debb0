import { expect, test } from 'vitest'
import { isPeriod, thisMonth } from './period.ts'

test('the journal is offered for the month so far, by UTC', () => {
  expect(thisMonth(new Date('2026-02-28T23:59:59Z'))).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(thisMonth(new Date('2026-03-01T08:00:00+09:00'))).toEqual({ from: '2026-02-01', to: '2026-02-28' })
})

test('a period has both days, in their order', () => {
  expect(isPeriod({ from: '2026-01-31', to: '2026-01-31' })).toBe(true)
  expect(isPeriod({ from: '2026-02-01', to: '2026-01-31' })).toBe(false)
  expect(isPeriod({ from: '', to: '2026-01-31' })).toBe(false)
  expect(isPeriod({ from: '2026-01-31', to: '' })).toBe(false)
})
