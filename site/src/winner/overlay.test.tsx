import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { now, read, tell } from '../../../e2e/lab/islands.ts'
import {
  beaconState,
  beaconStates,
  drawnTickets,
  hashOf,
  other,
  type Part,
  wallet,
  winnerAt,
} from '../../../e2e/lab/told.ts'
import { $myTickets } from '../buy/my-tickets.ts'
import { en } from '../texts/en.ts'
import { Overlay } from './Overlay.tsx'
import { $isOverlayOpen, $overlay, idleState, type OverlayState, resultOf } from './overlay.ts'

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** What stands on the open overlay below its head, and what a screen reader is told last. */
function overlay(state: OverlayState, part: Part = {}): string[] {
  tell({ stats: { ticketsSold: 12_377 }, ...part })
  $overlay.set(state)
  $isOverlayOpen.set(true)
  const [event, close, ...lines] = read(<Overlay />)
  expect([event, close]).toEqual(['Event no. 1 12,377 tickets', 'Close'])
  return lines
}
const refund = (reason: 'minimum' | 'overdue' | null) =>
  ({ isRefundMode: true, refundReason: reason }) as const

test('closed it is empty but for its head', () => {
  tell()
  expect(read(<Overlay />)).toEqual(['Event no. 1 0 tickets', 'Close'])
})

test('it waits for the draw, and then the drawing is in progress', () => {
  expect(overlay({ kind: 'waiting' })).toEqual([
    ...['Awaiting Draw', 'Waiting for draw...', '– – –', en.overlay.note, 'Waiting for draw...'],
  ])
  expect(overlay({ kind: 'drawing' })).toEqual([
    ...['Prize Draw', 'Drawing in progress...', '– – –', en.overlay.note, 'Drawing in progress...'],
  ])
})

test('the winner: the last three digits, the wallet 6 + 4, the ticket', () => {
  const state = resultOf(winnerAt(now), undefined)
  expect(overlay(state)).toEqual([
    ...[en.overlay.ends, '4 6 1', 'Winner: 0x7099…79C8', 'Ticket #10331 of 12,377', en.overlay.opening],
    'Winner: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ])
  const ending = (randomNumber: string) => overlay(resultOf({ ...winnerAt(now), randomNumber }, undefined))[1]
  expect(['', '7', '188718574420917417'].map(ending)).toEqual(['7 7 7', '0 0 7', '4 1 7'])
  expect(overlay(state, { winners: drawnTickets(13, 3) }).slice(4, 6)).toEqual([
    ...['2. #4288 0x2602…df00', '3. #6284 0x8d37…5561'],
  ])
})

/** The same for the owner of ticket #10331, or of another one, of the event that was drawn. */
function seenBy(walletAddress: typeof wallet | typeof other, ticketNumber: number): string[] {
  const result = resultOf(winnerAt(now), undefined)
  tell({ config: { eventNumber: 13 }, winner: winnerAt(now) })
  $myTickets.set({
    ...{ walletAddress, ticketCount: 1 },
    payments: [
      {
        ...{ eventNumber: 13, transactionHash: hashOf(1), status: 'credited', reason: null, refund: null },
        ...{ ticketNumber, ticketCount: 1, amount: 300, createdAt: new Date(now).toISOString() },
      },
    ],
  })
  $overlay.set(result)
  $isOverlayOpen.set(true)
  return read(<Overlay />).slice(2, 6)
}

test('who has won reads that first, before the digits and the wallet', () => {
  expect(seenBy(wallet, 10_331)).toEqual([
    'You won: prize 1 Ticket #10331 was drawn, and it is yours.',
    ...[en.overlay.ends, '4 6 1', 'Winner: 0x7099…79C8'],
  ])
})

test('who has not won reads that first, beside the own number', () => {
  expect(seenBy(other, 7)).toEqual([
    'Not this time Yours were #7, drawn was #10331.',
    ...[en.overlay.ends, '4 6 1', 'Winner: 0x7099…79C8'],
  ])
})

test('without a winner it tells the refund, that the administrator draws, or that results are checked', () => {
  const too = 'Refund processing due to insufficient minimum ticket quantity'
  const said = (why: string) => ['Refund', 'Refund Notice', why, en.overlay.refundNote]
  expect(overlay(resultOf(null, refund('minimum')))).toEqual([...said(too), too])
  expect(overlay(resultOf(null, refund('overdue')))).toEqual([
    ...[...said(en.refundWhy.overdue), en.refundWhy.overdue],
  ])
  const pending = 'Administrator draw is in progress. Results will be announced shortly'
  expect(overlay(resultOf(null, undefined)).slice(0, 2)).toEqual(['Awaiting Draw', pending])
  expect(overlay({ kind: 'checking' }).slice(0, 2)).toEqual(['Awaiting Draw', 'Checking draw results'])
})

test('V5: for a cause of a later release it says that money goes back, and names no other cause', () => {
  const later = overlay(resultOf(null, { isRefundMode: true, refundReason: 'later' as 'overdue' }))
  expect(later).toEqual(['Refund', 'Refund Notice', 'Refund Notice', en.overlay.refundNote, 'Refund Notice'])
  // Too few tickets is what the specification knows.
  expect(overlay(resultOf(null, refund(null)))[2]).toBe(en.refundWhy.minimum)
})

test('the refund notice stays while it is reported', () => {
  const drawStatus = { ...refund('overdue'), refundNotice: true }
  tell({ drawStatus })
  expect(overlay(idleState({ ...drawStatus } as never), { drawStatus })).toEqual([
    ...['Refund', 'Refund Notice', en.refundWhy.overdue, en.overlay.refundNote],
    en.refundWhy.overdue,
  ])
})

test('it shows where a draw stands that takes a round of drand', () => {
  const first = beaconStates.map(([, state, ahead]) =>
    overlay({ kind: 'waiting' }, beaconState(now, state, ahead)).slice(0, 3),
  )
  const { beacon } = en
  expect(first).toEqual([
    ['Awaiting Draw', 'Waiting for draw...', 'Round 34,441,032, due January 4, 2055 at 12:00 PM UTC'],
    ['Awaiting Draw', beacon.settling, 'Round 34,441,032 in 59 s'],
    ['Awaiting Draw', beacon.waiting, 'Round 34,441,032 in 43 s'],
    ['Awaiting Draw', beacon.late, 'Round 34,441,032'],
    ['Awaiting Draw', beacon.found, 'Round 34,441,032'],
  ])
  const waiting = overlay({ kind: 'waiting' }, beaconState(now, 'sealed', 43))
  expect(waiting.slice(3, 5)).toEqual(['124045345', '0x61f9718f…880653d4'])
  expect(waiting.at(-2)).toBe(en.overlay.beaconNote)
})
