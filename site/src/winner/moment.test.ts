import { expect, test } from 'vitest'
import type { WalletReport } from '../../../core/live/public.ts'
import { now } from '../../../e2e/lab/islands.ts'
import {
  drawnTickets,
  hashOf,
  historyAt,
  other,
  prizesAt,
  toldFirst,
  wallet,
  winnerAt,
} from '../../../e2e/lab/told.ts'
import { eventsOf } from '../buy/my-tickets.ts'
import { momentOf } from './moment.ts'

const { config, drawStatus } = toldFirst(now)
const { prize } = prizesAt(now)
const [past] = historyAt(now)
const winner = winnerAt(now)
const drawn = {
  ...{ config: { ...config, eventNumber: 13 }, drawStatus, winner, winners: drawnTickets(13, 1) },
  ...{ prizes: [prize()], history: [{ ...past, eventNumber: 13 } as never] },
}
const refund = (amount: number, due: number) => ({
  amount,
  due,
  transactionHash: hashOf(3),
  at: '2055-10-12T12:00:00Z',
})
const bought = (change: object = {}): WalletReport['payments'][number] => ({
  ...{
    eventNumber: 13,
    transactionHash: hashOf(1),
    status: 'credited' as const,
    reason: null,
    ticketNumber: 1,
  },
  ...{ ticketCount: 10, amount: 3_000, createdAt: '2055-01-01T00:00:00Z', refund: null, ...change },
})
const report = (walletAddress: typeof wallet | typeof other, ...payments: WalletReport['payments']) => ({
  ...{ walletAddress, ticketCount: 10, payments },
})
const said = (told: object, of: WalletReport | undefined) => {
  const moment = momentOf({ ...drawn, ...told }, of)
  return moment && [moment.kind, moment.title, moment.text]
}

test('the winner reads what was won, a reserve whose turn it is too, and who let it pass that it is over', () => {
  expect(said({}, report(wallet, bought()))).toEqual([
    ...['won', 'You won: Home mining device', 'Ticket #10331 was drawn, and it is yours.'],
  ])
  const holder = { kind: 'reserve', place: 1, walletAddress: other } as const
  const turned = { prizes: [prize({ holder })] }
  expect(said(turned, report(other, bought()))?.slice(0, 2)).toEqual(['won', 'You won: Home mining device'])
  expect(said(turned, report(wallet, bought()))?.slice(0, 2)).toEqual([
    ...['missed', 'You won, and the time to claim has passed'],
  ])
  expect(said({ history: undefined }, report(wallet, bought()))?.[1]).toBe('You won: prize 1')
})

test('whoever has not won reads the own numbers beside what was drawn', () => {
  expect(said({}, report(other, bought()))).toEqual([
    ...['lost', 'Not this time', 'Yours were #1–#10, drawn was #10331.'],
  ])
  const many = [50, 40, 30, 20, 10].map((ticketNumber) => bought({ ticketNumber, ticketCount: 1 }))
  expect(said({ winners: drawnTickets(13, 3) }, report(other, ...many))?.[2]).toBe(
    'Yours were #50, #40, #30, #20 and 1 more, drawn were #10331, #4288, #6284.',
  )
})

test('nothing is said to a wallet without a ticket of this event, before the draw, and without a wallet', () => {
  expect(said({}, report(other, bought({ eventNumber: 12 })))).toBeUndefined()
  expect(said({}, report(other, bought({ ticketNumber: null })))).toBeUndefined()
  expect(said({ winner: null }, report(wallet, bought()))).toBeUndefined()
  expect(said({}, undefined)).toBeUndefined()
})

test('in a refunded event: what is on its way, what came back and when, and whether everybody is paid', () => {
  const refunding = { drawStatus: { ...drawStatus, isRefundMode: true }, winner: null }
  const of = (...refunds: object[]) => report(wallet, ...refunds.map((each) => bought({ refund: each })))
  expect(said(refunding, of(refund(0, 3_000)))).toEqual([
    ...['due', '30 USDT are on their way to 0x7099…79C8', 'Nothing needs to be done.'],
  ])
  expect(said(refunding, of(refund(3_000, 0), refund(0, 300)))).toEqual([
    ...['due', '3 USDT are on their way to 0x7099…79C8', '30 USDT have come already.'],
  ])
  expect(said(refunding, of(refund(3_000, 0)))).toEqual([
    ...['paid', 'You were paid back 30 USDT on October 12, 2055', 'All tickets are paid back.'],
  ])
  const open = {
    ...refunding.drawStatus,
    refunds: [{ eventNumber: 13, since: '', days: 1, paid: 1, open: 1 }],
  }
  expect(said({ ...refunding, drawStatus: open }, of(refund(3_000, 0)))?.[2]).toBe('')
})

test('my tickets knows every event: what was won, what came back, and what belongs to none', () => {
  const events = eventsOf(
    report(
      wallet,
      ...[bought(), bought({ eventNumber: 12, refund: refund(300, 600) }), bought({ eventNumber: null })],
    ),
    { ...drawn, history: [past as never] },
  )
  expect(events.map(({ eventNumber, won, sums }) => [eventNumber, won, sums])).toEqual([
    [13, ['You won: prize 1 (Not claimed yet)'], []],
    [12, ['You won: Home mining device (Delivered)'], ['3 USDT paid back', '6 USDT on their way']],
    [null, [], []],
  ])
})
