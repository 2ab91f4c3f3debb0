import { expect, test } from 'vitest'
import type { PublicState } from '../../../core/live/public.ts'
import { now } from '../../../e2e/lab/islands.ts'
import { after, day, type Part, toldFirst, winnerAt } from '../../../e2e/lab/told.ts'
import { stateSlots } from '../event/state-slots.ts'
import { spoken } from '../texts/speak.ts'
import { eventNow } from './follow-state.ts'
import type { Known } from './live.ts'
import { restOf, stageOf } from './stage.ts'

const { config, stats, drawStatus } = toldFirst(now)
const dates = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2055-09-29T12:00:00.000Z' }
const facts = (change: object = {}) =>
  stateSlots(
    eventNow({ config: { ...config, ...change }, stats: { ...stats, ticketsSold: 12_377 } }, now) ?? {},
  )
const known = ({ config: changed, stats: sold, drawStatus: status, winner = null }: Part = {}): Known => ({
  config: { ...config, ...changed },
  stats: { ...stats, ...sold },
  drawStatus: { ...drawStatus, ...status },
  winner: winner as PublicState['winner'],
})

test('without a date both dates are Not Set, tickets are on sale, and the date will be announced', () => {
  expect(facts()).toMatchObject({
    ...{
      'draw-date': 'Not Set',
      'draw-day': 'Not Set',
      'draw-time': '',
      'end-day': 'Not Set',
      'end-time': '',
    },
    'sale-note': 'Tickets are on sale. The draw date will be announced.',
    ...{ 'winner-title': 'Winner Announcement', 'tickets-sold': '12,377', 'ticket-price': '3' },
    ...{ 'min-tickets': '100', 'stub-name': 'Next ticket', 'stub-number': '#12378' },
  })
})

test('with a date both are told in UTC, in either language', () => {
  expect(facts(dates)).toMatchObject({
    ...{ 'draw-date': 'September 30, 2055 at 12:00 PM UTC' },
    ...{ 'draw-day': 'September 30, 2055', 'draw-time': '12:00 PM UTC' },
    ...{ 'end-day': 'September 29, 2055', 'end-time': '12:00 PM UTC' },
    'sale-note': 'Sales close on September 29, 2055 at 12:00 PM UTC.',
  })
  expect(spoken('ko', () => facts(dates))).toMatchObject({
    'draw-date': '2055년 9월 30일 오후 12:00 UTC',
    'sale-note': '판매 마감: 2055년 9월 29일 오후 12:00 UTC',
  })
})

test('in refund mode the Winner section is titled Refund Announcement!', () => {
  expect(facts({ isRefundMode: true })).toMatchObject({
    ...{ 'winner-title': 'Refund Announcement!', 'sale-note': 'Sales are over.' },
    ...{ 'stub-name': 'Tickets sold', 'stub-number': '12,377' },
  })
})

test('while sales are paused nobody is told that tickets are on sale, and a sale that is over is over', () => {
  expect(facts({ ...dates, salesPaused: true })).toMatchObject({ 'sale-note': 'Sales are paused for now.' })
  expect(facts({ isRefundMode: true, salesPaused: true })).toMatchObject({ 'sale-note': 'Sales are over.' })
})

test('of what is not known nothing is said, so that what a page was served with stays', () => {
  expect(eventNow({}, now)).toBeUndefined()
  expect(Object.keys(stateSlots({ drawDate: null }))).toEqual(['draw-date', 'draw-day', 'draw-time'])
})

test('what leads on the home page is what a visitor comes for now', () => {
  const passed = { drawDate: after(now, -90), saleEndDate: after(now, -day) }
  const winner = winnerAt(now)
  const stages = [
    known(),
    known({ config: dates }),
    known({ config: passed }),
    known({ config: passed, winner }),
    known({ winner: { ...winner, walletAddress: '0x12345678' } }),
    known({ config: { isRefundMode: true }, winner }),
    known({ drawStatus: { isRefundMode: true } }),
  ].map((each) => stageOf(each, now))
  expect(stages).toEqual(['selling', 'selling', 'waiting', 'drawn', 'selling', 'refund', 'refund'])
  expect(stageOf({}, now)).toBeUndefined()
})

test('nobody is invited to pay by hand while nothing is sold', () => {
  const rests = [
    known(),
    known({ config: { ...dates, saleEndDate: after(now, 60) } }),
    known({ config: { saleEndDate: after(now, 10) } }),
    known({ config: { salesPaused: true } }),
    known({ config: { isSoon: true } }),
    known({ config: { isRefundMode: true, salesPaused: true } }),
    known({ drawStatus: { isRefundMode: true } }),
  ].map((each) => restOf(each, now))
  expect(rests).toEqual([undefined, undefined, 'closed', 'paused', 'soon', 'refund', 'refund'])
  expect(restOf({}, now)).toBeUndefined()
})
