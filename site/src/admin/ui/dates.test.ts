import { expect, test } from 'vitest'
import { agoText, datesIn, fromField, inWords, spanText, toApi, toField, toStamp } from './format.ts'

test('a field holds UTC in any local time zone, and parses back to the same moment', () => {
  for (const iso of ['2025-09-30T12:00:00.000Z', '2025-12-31T23:59:59.000Z'])
    expect(fromField(toField(iso))?.toISOString()).toBe(iso)
  expect(toField('2025-09-30T12:00:00.000Z')).toBe('2025-09-30 12:00')
  expect(toStamp('2025-09-30T12:00:00.000Z')).toBe('2025-09-30 12:00:00')
  expect(toApi(new Date('2025-09-30T12:00:00.000Z'))).toBe('2025-09-30T12:00:00Z')
  expect(toField(null)).toBe('')
  expect(toField('nonsense')).toBe('')
})

test('a text that is not a date is undefined', () => {
  for (const text of [
    '',
    'x',
    '2025-02-30 10:00',
    '2025-01-01 24:00',
    '2025-01-01 10:60',
    '1999-01-01 00:00',
  ])
    expect(fromField(text)).toBeUndefined()
  expect(fromField('2025-9-3 7:05')?.toISOString()).toBe('2025-09-03T07:05:00.000Z')
  expect(fromField('2025-09-30T12:00Z')?.toISOString()).toBe('2025-09-30T12:00:00.000Z')
})

test('Korea is nine hours ahead', () => {
  expect(inWords('2025-09-30T12:00:00Z')).toBe('2025년 9월 30일 21:00')
  expect(inWords('2025-12-31T15:00:00Z')).toBe('2026년 1월 1일 00:00')
})

test('durations and ages are written in words', () => {
  expect([0, 30, 90, 3_600, 90_000].map(agoText)).toEqual(['방금', '30초 전', '1분 전', '1시간 전', '1일 전'])
  expect([10, 600, 86_400, 5_400].map(spanText)).toEqual(['10초', '10분', '24시간', '1시간 30분'])
})

test('English tells every moment in UTC, and says so; beside UTC it tells the time where the reader is', () => {
  const { inWords, inShortWords, besideUtc, besideUtcShort } = datesIn('en', 'America/New_York')
  const at = '2025-09-30T22:00:00Z'
  expect(inWords(at)).toBe('Sep 30, 2025, 22:00 UTC')
  expect(inShortWords(at)).toBe('Sep 30, 22:00 UTC')
  expect(besideUtc(at)).toBe('Tue, Sep 30, 18:00')
  expect(besideUtcShort(at)).toBe('Sep 30, 18:00')
})
