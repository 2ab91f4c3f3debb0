import { expect, test } from 'vitest'
import { namesATicket } from './rules.ts'

const drawDate = new Date('2025-09-30T12:00:00Z')
const second = (delta: number) => new Date(drawDate.getTime() + delta * 1000)
const event = { ticketsSold: 1, frozenAt: second(-1), drawDate } as const

test.each([
  ['sold too few tickets', event, 'minimum', true],
  ['had no outcome by its deadline', event, 'overdue', true],
  ['may still be drawn', event, null, true],
  ['was frozen at the draw date', { ...event, frozenAt: drawDate }, 'overdue', false],
  ['was frozen after the draw date', { ...event, frozenAt: second(1) }, 'overdue', false],
  ['is not frozen', { ...event, frozenAt: null }, 'overdue', false],
  ['has no draw date, as its sale was stopped', { ...event, drawDate: null }, 'stopped', false],
  ['had a wrong list', event, 'ledger', false],
  ['waited for a beacon in vain', event, 'beacon_lost', true],
  ['sold nothing', { ...event, ticketsSold: 0 }, 'overdue', false],
] as const)('an event that %s names a ticket without a draw or does not', (_, undrawn, reason, named) => {
  expect(namesATicket(undrawn, reason)).toBe(named)
})
