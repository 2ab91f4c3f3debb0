import { expect, test } from 'vitest'
import type { PublicWinner } from '../../../core/live/public.ts'
import { refundCauses } from '../../../core/refund/rules.ts'
import { idleState, lastDigits, resultOf, statusOf, titleOf } from './overlay-state.ts'

const winner = { walletAddress: `0x${'9a'.repeat(20)}`, randomNumber: '188718574420917417' } as PublicWinner
const quiet = {
  wouldHaveWon: null,
  beacon: null,
  beaconDueAt: null,
  blockSeed: null,
  drawBlocks: null,
  refunds: [],
  isDrawing: false,
  isRefundMode: false,
  canDraw: false,
  isWinnerHidden: false,
  refundNotice: false,
  refundReason: null,
}

test('ten seconds of drawing end with the winner and the last three digits', () => {
  expect(resultOf(winner, quiet)).toEqual({ kind: 'winner', winner, digits: '417' })
})

test('without a winner it is a refund in refund mode, else the administrator is still drawing', () => {
  const refund = { ...quiet, isRefundMode: true, refundReason: 'overdue' } as const
  expect(resultOf(null, refund)).toEqual({ kind: 'refund', reason: 'overdue' })
  expect(statusOf(resultOf(null, quiet))).toBe(
    'Administrator draw is in progress. Results will be announced shortly',
  )
})

test('a missing random number shows 777, a short one keeps its zeros', () => {
  expect([lastDigits(undefined), lastDigits(''), lastDigits('7')]).toEqual(['777', '777', '007'])
})

test('the refund notice stays while the server reports it; then the overlay waits again', () => {
  expect(idleState({ ...quiet, refundNotice: true })).toEqual({
    kind: 'notice',
    reason: null,
  })
  expect(idleState(quiet)).toEqual({ kind: 'waiting' })
})

test('each cause of refund mode has its own sentence', () => {
  const sentences = refundCauses.map((reason) => statusOf({ kind: 'notice', reason }))
  expect(sentences[0]).toBe('Refund processing due to insufficient minimum ticket quantity')
  expect(new Set(sentences).size).toBe(refundCauses.length)
  expect(statusOf({ kind: 'refund', reason: null })).toBe(sentences[0])
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

test('V5: for a cause of a later release it says that money goes back, and names no other cause', () => {
  const later = resultOf(null, { ...quiet, isRefundMode: true, refundReason: 'later' as 'overdue' })
  expect([titleOf(later), statusOf(later)]).toEqual(['Refund Notice', 'Refund Notice'])
})
