import { expect, test } from 'vitest'
import { fileNameIn } from './download.tsx'

const korean = `attachment; filename="refund-event-7-.xlsx"; filename*=UTF-8''refund-event-7-${encodeURIComponent('환불대상')}.xlsx`

test('a file gets the Korean name that the server gave it', () => {
  expect(fileNameIn(korean)).toBe('refund-event-7-환불대상.xlsx')
})

test('without a readable Korean name the plain one is used; without any, undefined', () => {
  expect(fileNameIn(`attachment; filename="plain.xlsx"; filename*=UTF-8''%E0%A4%A`)).toBe('plain.xlsx')
  expect(fileNameIn('attachment')).toBeUndefined()
  expect(fileNameIn(null)).toBeUndefined()
})
