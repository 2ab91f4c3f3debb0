import { expect, test } from 'vitest'
import type { PublicWinner } from '../../../core/public.ts'
import { idleState, lastDigits, resultOf, statusOf, titleOf } from './overlay-state.ts'

const winner = { walletAddress: `0x${'9a'.repeat(20)}`, randomNumber: '188718574420917417' } as PublicWinner
const enough = [{ ticketsSold: 100 }, { minTicketsForDraw: 100 }] as const
const tooFew = [{ ticketsSold: 99 }, { minTicketsForDraw: 100 }] as const
const quiet = {
  isDrawing: false,
  isRefundMode: false,
  canDraw: false,
  refundNotice: false,
  refundReason: null,
}

test('ten seconds of drawing end with the winner and the last three digits', () => {
  expect(resultOf(winner, ...enough)).toEqual({ kind: 'winner', winner, digits: '417' })
})

test('without a winner it is a refund below the minimum, else the administrator is still drawing', () => {
  expect(resultOf(null, ...tooFew)).toEqual({ kind: 'refund' })
  expect(statusOf(resultOf(null, ...enough))).toBe(
    'Administrator draw is in progress. Results will be announced shortly',
  )
})

test('a missing random number shows 777, a short one keeps its zeros', () => {
  expect([lastDigits(undefined), lastDigits(''), lastDigits('7')]).toEqual(['777', '777', '007'])
})

test('the refund notice stays while the server reports it; then the overlay waits again', () => {
  expect(idleState({ ...quiet, refundNotice: true })).toEqual({ kind: 'notice' })
  expect(idleState(quiet)).toEqual({ kind: 'waiting' })
})

test('title and status have the texts of docs/spec.md', () => {
  expect([titleOf({ kind: 'drawing' }), statusOf({ kind: 'drawing' })]).toEqual([
    'Prize Draw',
    'Drawing in progress...',
  ])
  expect([titleOf({ kind: 'waiting' }), statusOf({ kind: 'waiting' })]).toEqual([
    'Awaiting Draw',
    'Waiting for draw...',
  ])
  expect(statusOf({ kind: 'checking' })).toBe('Checking draw results')
})
