import { afterEach, expect, test } from 'vitest'
import { speak } from '../texts/speak.ts'
import { formatAgo, formatDate } from './dates.ts'

afterEach(() => speak('en'))

test('dates read as docs/spec.md has them, in UTC wherever the visitor is', () => {
  expect(formatDate('2025-09-30T12:00:00Z')).toBe('September 30, 2025 at 12:00 PM UTC')
  expect(formatDate('2025-08-19T03:53:00Z')).toBe('August 19, 2025 at 03:53 AM UTC')
  expect(formatDate(null)).toBe('Not Set')
  expect(formatDate('soon')).toBe('Invalid Date')
})

test('dates read in Korean as a Korean writes them', () => {
  speak('ko')
  expect(formatDate('2025-09-30T12:00:00Z')).toBe('2025년 9월 30일 오후 12:00 UTC')
  expect([formatDate(null), formatDate('soon')]).toEqual(['미정', '잘못된 날짜'])
})

const now = 10 ** 12
const agos = () => [-5, 0, 7, 60, 3_600, 7_200, 86_400 * 3].map((s) => formatAgo(now - s * 1000, now))

test('times since creation are relative', () => {
  expect(agos()).toEqual([
    'just now',
    'just now',
    '7 seconds ago',
    '1 minute ago',
    '1 hour ago',
    '2 hours ago',
    '3 days ago',
  ])
  speak('ko')
  expect(agos()).toEqual(['방금 전', '방금 전', '7초 전', '1분 전', '1시간 전', '2시간 전', '3일 전'])
})
