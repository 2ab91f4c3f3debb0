import { expect, test } from 'vitest'
import { countdown, timeLeft } from './follow-state.ts'

const date = '2025-09-30T12:00:00Z'
const at = (text: string) => Object.values(countdown(date, Date.parse(text))).join(':')

test('counts down in two digits and stops at zero', () => {
  expect(at('2025-09-18T04:18:51Z')).toBe('12:07:41:09')
  expect(at('2025-09-30T11:59:59Z')).toBe('00:00:00:01')
  expect(at('2025-09-30T12:00:00Z')).toBe('00:00:00:00')
  expect(at('2026-01-01T00:00:00Z')).toBe('00:00:00:00')
})

test('is all zeros without a date', () => {
  expect(Object.values(countdown(null, 0))).toEqual(['00', '00', '00', '00'])
  expect(Object.values(countdown('soon', 0))).toEqual(['00', '00', '00', '00'])
})

test('names the time left of a sale', () => {
  expect(timeLeft(date, Date.parse('2025-09-19T04:18:51Z'))).toBe('11d 07:41:09')
  expect(timeLeft(date, Date.parse(date))).toBe('Closed')
  expect(timeLeft(null, 0)).toBe('Not Set')
})
