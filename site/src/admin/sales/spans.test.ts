import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barsOf, sharesOf, soldSoFar, spansOf } from './SalesCard.tsx'

test('hours are called by their beginning, days by their date', () => {
  const from = '2026-11-23T22:00:00.000Z'
  expect(spansOf({ from, seconds: 3_600, tickets: [1, 0, 2] }).map(({ name }) => name)).toEqual([
    ...['11-23 22:00', '11-23 23:00', '11-24 00:00'],
  ])
  const days = spansOf({ from: '2026-11-23T00:00:00.000Z', seconds: 86_400, tickets: [1, 0] })
  expect(days.map(({ name }) => name)).toEqual(['2026-11-23', '2026-11-24'])
})

test('bars reach as high as they are many, stay inside, and one that sold little is still seen', () => {
  expect(barsOf([0, 50, 100])).toEqual([
    { x: 0, y: 1000, width: 66.67 },
    { x: 83.33, y: 530, width: 66.67 },
    { x: 166.67, y: 60, width: 66.67 },
  ])
  expect(barsOf([1, 100_000])[0]?.y).toBe(994)
  expect(barsOf([])).toEqual([])
})

test('all that was sold until when is told by the hour while those shown are the whole sale, then by the day', () => {
  const event = { eventNumber: 2, minTickets: 10 }
  const hours = { from: '2026-11-23T22:00:00.000Z', seconds: 3_600, tickets: [1, 0, 2] }
  const days = { from: '2026-11-22T00:00:00.000Z', seconds: 86_400, tickets: [5, 3] }
  expect(soldSoFar({ ...event, ticketsSold: 3, hours, days })).toEqual({
    ...{ ...event, from: hours.from, bucketSeconds: 3_600, tickets: [1, 1, 3] },
    to: '2026-11-24T01:00:00.000Z',
  })
  // What was sold before the first day that is shown counts too.
  expect(soldSoFar({ ...event, ticketsSold: 20, hours, days })).toMatchObject({
    ...{ from: days.from, bucketSeconds: 86_400, tickets: [17, 20], to: '2026-11-24T00:00:00.000Z' },
  })
})

test('shares always add up to a hundred, none further from the truth than one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 24n }), { minLength: 1, maxLength: 6 }),
      (values) => {
        const all = values.reduce((sum, value) => sum + value, 0n)
        const shares = sharesOf(values)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(all === 0n ? 0 : 100)
        for (const [index, share] of shares.entries())
          if (all > 0n)
            expect(Math.abs(share - Number((values[index] as bigint) * 100n) / Number(all))).toBeLessThan(1)
      },
    ),
  )
})
