import { expect, test } from 'vitest'
import { type DateFacts, whyDatesLocked } from './event-locks.ts'

const day = (days: number) => new Date(Date.UTC(2026, 11, 1) + days * 86_400_000)
const sold: DateFacts = {
  drawDate: day(10),
  saleEnd: day(9),
  minTickets: 50,
  firstDrawDate: day(8),
  isStopped: false,
  hasTickets: true,
  saleStart: day(0),
  firstTicketAt: day(0),
  entropy: 'blocks',
}
const refused = (
  event: Partial<DateFacts>,
  wanted: Partial<Pick<DateFacts, 'drawDate' | 'minTickets'>>,
  now = 0,
) => whyDatesLocked({ ...sold, ...event }, { drawDate: day(10), minTickets: 50, ...wanted }, day(now))

test('after the first ticket the minimum only falls', () => {
  expect(refused({}, { minTickets: 49 })).toBeUndefined()
  expect(refused({}, { minTickets: 51 })).toMatchObject({ code: 'EVENT_LOCKED', field: 'minTicketsForDraw' })
  expect(refused({ hasTickets: false }, { minTickets: 51 })).toBeUndefined()
})

test('after the first ticket the draw date moves earlier, or to 30 days behind the first announced one', () => {
  expect(refused({}, { drawDate: day(3) })).toBeUndefined()
  expect(refused({}, { drawDate: day(38) })).toBeUndefined()
  expect(refused({}, { drawDate: new Date(day(38).getTime() + 1_000) })).toMatchObject({
    code: 'EVENT_LOCKED',
    field: 'drawDate',
  })
  expect(refused({}, { drawDate: null })).toMatchObject({ code: 'EVENT_LOCKED', field: 'drawDate' })
  expect(
    refused({ drawDate: null, saleEnd: null, firstDrawDate: null }, { drawDate: day(99) }),
  ).toBeUndefined()
  expect(refused({ hasTickets: false }, { drawDate: null })).toBeUndefined()
})

test('a date that is announced after the first ticket keeps to the deadline that buyers had without it', () => {
  const undated = { drawDate: null, saleEnd: null, firstDrawDate: null }
  expect(refused(undated, { drawDate: day(173) })).toBeUndefined()
  expect(refused(undated, { drawDate: day(174) })).toMatchObject({ code: 'EVENT_LOCKED', field: 'drawDate' })
  const late = { entropy: 'blocks+drand' as const }
  expect(refused({ ...undated, ...late }, { drawDate: day(173) })).toMatchObject({ code: 'EVENT_LOCKED' })
  const dated = { drawDate: day(160), saleEnd: day(159), firstDrawDate: day(160) }
  expect(refused(dated, { drawDate: day(174) })).toMatchObject({ code: 'EVENT_LOCKED' })
  expect(refused({ ...dated, firstDrawDate: day(200) }, { drawDate: day(230) })).toBeUndefined()
})

test('from the sale end on dates and minimum are locked whole', () => {
  for (const wanted of [{ minTickets: 1 }, { drawDate: day(11) }, { drawDate: null }]) {
    expect(refused({ hasTickets: false }, wanted, 9)).toMatchObject({ code: 'EVENT_LOCKED' })
    expect(refused({ isStopped: true }, wanted)).toMatchObject({ code: 'EVENT_LOCKED' })
  }
  expect(refused({}, {}, 9)).toBeUndefined()
})
