import { expect, test } from 'vitest'
import { type DrawFacts, dueRefund, whyNotDrawn } from './rules.ts'

const ready: DrawFacts = {
  ...{ isDue: true, isFrozen: true, ticketsSold: 10, minTickets: 10, beacon: 'none' },
  ...{ isRefunded: false, isDrawn: false, isOverdue: false, isListLost: false },
}

test.each([
  ['is ready', {}, undefined, undefined],
  ['has its round', { beacon: 'found' }, undefined, undefined],
  ['waits for its round', { beacon: 'pending' }, 'BEACON_PENDING', undefined],
  ['has lost its round', { beacon: 'lost' }, 'REFUND_MODE', 'beacon_lost'],
  ['has lost its round before it was frozen', { beacon: 'lost', isFrozen: false }, 'REFUND_MODE', undefined],
  ['is not due', { isDue: false }, 'DRAW_NOT_DUE', undefined],
  ['is not frozen', { isFrozen: false }, 'NOT_FINAL', undefined],
  ['sold too few tickets', { ticketsSold: 9 }, 'MIN_NOT_REACHED', 'minimum'],
  ['sold too few tickets and is not due', { ticketsSold: 9, isDue: false }, 'DRAW_NOT_DUE', undefined],
  ['sold nothing', { ticketsSold: 0 }, 'MIN_NOT_REACHED', undefined],
  ['got no draw date in time', { isDue: false, isFrozen: false, isOverdue: true }, 'REFUND_MODE', 'overdue'],
  ['has lost a line of its list', { isDue: false, isListLost: true }, 'REFUND_MODE', 'ledger'],
  ['was drawn', { isDrawn: true, isOverdue: true }, 'ALREADY_DRAWN', undefined],
  ['is refunded', { isRefunded: true, ticketsSold: 9 }, 'REFUND_MODE', undefined],
] as const)('an event that %s is drawn, refunded or waits', (_, facts, refusal, cause) => {
  expect(whyNotDrawn({ ...ready, ...facts })?.code).toBe(refusal)
  expect(dueRefund({ ...ready, ...facts })).toBe(cause)
})
