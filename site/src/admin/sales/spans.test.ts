import { expect, test } from 'vitest'
import { soldRows } from '../../sales/StepChart.tsx'
import { shareOf, soldSoFar } from './SalesCard.tsx'

test('all that was sold until when is told by the hour while those shown are the whole sale, then by the day', () => {
  const event = { eventNumber: 2, minTickets: 10 }
  const hours = { from: '2026-11-23T22:00:00.000Z', seconds: 3_600, tickets: [1, 0, 2] }
  const days = { from: '2026-11-22T00:00:00.000Z', seconds: 86_400, tickets: [5, 3] }
  const now = Date.parse('2026-11-24T00:40:00.000Z')
  expect(soldSoFar({ ...event, ticketsSold: 3, hours, days }, now)).toEqual({
    ...{ ...event, before: 0, from: hours.from, bucketSeconds: 3_600, tickets: [1, 1, 3] },
    to: '2026-11-24T00:40:00.000Z',
  })
  // What was sold before the first day that is shown counts too, and was not sold on it.
  const { before, ...sales } = soldSoFar({ ...event, ticketsSold: 20, hours, days }, now)
  expect(sales).toMatchObject({
    ...{ from: days.from, bucketSeconds: 86_400, tickets: [17, 20], to: '2026-11-24T00:00:00.000Z' },
  })
  expect(soldRows(sales, before).map(({ sold }) => sold)).toEqual([3, 5])
})

test('a share is told in per cent with one place, of nothing as none', () => {
  expect([shareOf(1n, 3n), shareOf(2n, 2n), shareOf(0n, 0n)]).toEqual(['33.3%', '100%', '0%'])
})
