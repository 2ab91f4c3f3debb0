import { expect, test } from 'vitest'
import { firstEventContent } from '../../../../core/content/first-event.ts'
import { type PreviewMessage, previewMessage } from './message.ts'

const holder = {} as MessageEventSource
const own = { origin: 'https://raffle.example', holder }
const told = { eventNumber: 2, content: firstEventContent, ticketPrice: 300 }
const message: PreviewMessage = { type: 'blockdraw:preview', told, language: 'en', theme: null }

test('the preview listens to the window that holds it, on our own origin, and to nobody else', () => {
  const heard = (event: object, by = own) =>
    previewMessage({ origin: own.origin, source: holder, data: message, ...event }, by)
  expect(heard({})).toBe(message)
  expect(heard({ origin: 'https://evil.example' })).toBeUndefined()
  expect(heard({ origin: 'null' })).toBeUndefined()
  expect(heard({ source: {} })).toBeUndefined()
  expect(heard({ source: null })).toBeUndefined()
  expect(heard({ source: null }, { ...own, holder: null as never })).toBeUndefined()
  for (const data of [
    null,
    'x',
    7,
    {},
    { type: 'other' },
    { ...message, told: {} },
    { ...message, language: '' },
  ])
    expect(heard({ data })).toBeUndefined()
})
