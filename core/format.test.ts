import { expect, test } from 'vitest'
import { formatAgo, formatDate, shorten } from './format.ts'

test('dates read as SPEC has them, in UTC wherever the visitor is', () => {
  expect(formatDate('2025-09-30T12:00:00Z')).toBe('September 30, 2025 at 12:00 PM UTC')
  expect(formatDate('2025-08-19T03:53:00Z')).toBe('August 19, 2025 at 03:53 AM UTC')
  expect(formatDate(null)).toBe('Not Set')
  expect(formatDate('soon')).toBe('Invalid Date')
})

test('times since creation are relative', () => {
  const now = 10 ** 12
  expect([-5, 0, 7, 60, 3_600, 7_200, 86_400 * 3].map((s) => formatAgo(now - s * 1000, now))).toEqual([
    'just now',
    'just now',
    '7 seconds ago',
    '1 minute ago',
    '1 hour ago',
    '2 hours ago',
    '3 days ago',
  ])
})

test('long texts keep both ends, short ones stay whole', () => {
  expect(shorten('0x7c3e0000000091Fd', 4, 4)).toBe('0x7c…91Fd')
  expect(shorten('0x1234', 4, 4)).toBe('0x1234')
  expect(shorten('0x8e41c09fd27a5b1300', 16, 0)).toBe('0x8e41c09fd27a5b…')
})
