import { expect, test } from 'vitest'
import { calendarFile } from '../content/calendar.ts'

const entry = {
  id: 'event-1@blockdraw.example',
  start: '2025-09-30T12:00:00.000Z',
  title: '블록드로 추첨; 이벤트 1, 모두가 보는 앞에서 당첨자를 공개합니다',
  text: 'Watch it,\nhere.',
  url: 'https://blockdraw.example/#winner',
}

test('the file has the draw date, a reminder, and no line that is too long', () => {
  const file = calendarFile([entry], new Date('2025-09-01T00:00:00Z'))
  const lines = file.split('\r\n')
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(lines).toContain('DTSTART:20250930T120000Z')
  expect(lines).toContain('DTEND:20250930T121500Z')
  expect(lines).toContain('DTSTAMP:20250901T000000Z')
  expect(lines).toContain('DESCRIPTION:Watch it\\,\\nhere.')
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${entry.title.replace(/[;,]/g, '\\$&')}`)
})
