import { expect, test } from 'vitest'
import type { PublicState } from '../../../core/live/public.ts'
import { now } from '../../../e2e/lab/islands.ts'
import { after, day, type Part, toldFirst, winnerAt } from '../../../e2e/lab/told.ts'
import { spoken } from '../texts/speak.ts'
import { factsOf } from './facts.ts'
import type { Known } from './live.ts'
import { restOf, stageOf } from './stage.ts'

const { config, stats, drawStatus } = toldFirst(now)
const dates = { drawDate: '2055-09-30T12:00:00.000Z', saleEndDate: '2055-09-29T12:00:00.000Z' }
const facts = (change: object = {}) =>
  factsOf({ config: { ...config, ...change }, stats: { ...stats, ticketsSold: 12_377 } })
const known = ({ config: changed, stats: sold, drawStatus: status, winner = null }: Part = {}): Known => ({
  config: { ...config, ...changed },
  stats: { ...stats, ...sold },
  drawStatus: { ...drawStatus, ...status },
  winner: winner as PublicState['winner'],
})

test('without a date both dates are Not Set, and sales are open until one is set', () => {
  expect(facts()).toMatchObject({
    ...{ drawDate: 'Not Set', drawDay: 'Not Set', drawTime: '', endDay: 'Not Set', endTime: '' },
    ...{ saleNote: 'Sales are open until a draw date is set.', winnerTitle: 'Winner Announcement' },
    ...{ ticketsSold: '12,377', ticketPrice: '3', minTickets: '100' },
  })
})

test('with a date both are told in UTC, in either language', () => {
  expect(facts(dates)).toMatchObject({
    ...{
      drawDate: 'September 30, 2055 at 12:00 PM UTC',
      drawDay: 'September 30, 2055',
      drawTime: '12:00 PM UTC',
    },
    ...{ endDay: 'September 29, 2055', endTime: '12:00 PM UTC' },
    saleNote: 'Sales close on September 29, 2055 at 12:00 PM UTC.',
  })
  expect(spoken('ko', () => facts(dates))).toMatchObject({
    ...{ drawDate: '2055년 9월 30일 오후 12:00 UTC', saleNote: '판매 마감: 2055년 9월 29일 오후 12:00 UTC' },
  })
})

test('in refund mode the Winner section is titled Refund Announcement!', () => {
  expect(facts({ isRefundMode: true }).winnerTitle).toBe('Refund Announcement!')
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
