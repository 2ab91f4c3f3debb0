import { expect, test } from 'vitest'
import { beaconStanding, roundLine, sourceOf } from './BeaconWait.tsx'

const drawDate = '2026-12-01T12:00:00.000Z'
const beaconDueAt = '2026-12-01T12:01:00.000Z'
const round = 34_441_032
const at = (time: string) => Date.parse(`2026-12-01T${time}Z`)
const sealed = { beacon: 'sealed', beaconDueAt, blockSeed: null, isRefundMode: false } as const
const blockSeed = `0x${'3f'.repeat(32)}` as const

test('a draw waits for its blocks, then for its round; a round that does not come is late', () => {
  const shown = { ...sealed, blockSeed }
  const awaited = { ...shown, beacon: 'awaited' } as const
  const stands = (status: Parameters<typeof beaconStanding>[1], time: string) =>
    beaconStanding({ drawDate }, status, at(time))
  expect(stands(sealed, '11:59:59')).toBe('named')
  expect(stands(sealed, '12:00:00')).toBe('settling')
  expect(stands(shown, '12:00:03')).toBe('waiting')
  expect(stands(shown, '12:01:00')).toBe('due')
  expect(stands(awaited, '12:00:59')).toBe('due')
  expect(stands(awaited, '12:01:14')).toBe('due')
  expect(stands(awaited, '12:01:15')).toBe('late')
  expect(stands({ ...awaited, beacon: 'found' }, '12:01:15')).toBe('found')
  // The chain stands still: the round's time has passed before the blocks are final.
  expect(stands({ ...sealed, beacon: 'awaited' }, '12:05:00')).toBe('settling')
})

test('no round is waited for in a draw of blocks alone, without a date, or in refund mode', () => {
  const stands = (status: object, date: string | null = drawDate) =>
    beaconStanding({ drawDate: date }, { ...sealed, ...status }, at('12:00:00'))
  expect(stands({ beacon: null })).toBeUndefined()
  expect(stands({}, null)).toBeUndefined()
  expect(stands({ isRefundMode: true })).toBeUndefined()
})

test('the round is named with its date, then with a countdown, then alone', () => {
  const line = (time: string) => roundLine(round, beaconDueAt, at(time))
  expect(line('11:00:59')).toBe('Round 34,441,032, due December 1, 2026 at 12:01 PM UTC')
  expect(line('11:48:55')).toBe('Round 34,441,032 in 12:05')
  expect(line('12:00:17.400')).toBe('Round 34,441,032 in 43 s')
  expect(line('12:01:00')).toBe('Round 34,441,032')
})

test('the source of the draw names the round as soon as it is known', () => {
  expect(sourceOf({ entropy: 'blocks', beaconRound: null })).toBe('Five block hashes')
  expect(sourceOf({ entropy: 'blocks+drand', beaconRound: null })).toBe(
    'Five block hashes and a round of drand',
  )
  expect(sourceOf({ entropy: 'blocks+drand', beaconRound: round })).toBe(
    'Five block hashes and round 34,441,032 of drand',
  )
})
