import { expect, test } from 'vitest'
import type { LiveChange } from '../../../core/live/public.ts'
import { newer, polled } from './live.ts'

const sold = (ticketsSold: number) => ({ stats: { ticketsSold, ticketPrice: 3 } })
const change = (version: number, ticketsSold: number): LiveChange => ({
  version,
  now: 1,
  ...sold(ticketsSold),
})

test('merges a newer version into the known state and keeps the rest', () => {
  expect(newer({ version: 4, winner: null, ...sold(1) }, change(5, 34))).toEqual({
    version: 5,
    winner: null,
    ...sold(34),
  })
})

test('versions never go back', () => {
  const known = { version: 5, ...sold(34) }
  expect(newer(known, change(4, 1))).toBe(known)
})

test('the first state is taken with any version, also after parts without a version', () => {
  expect(newer({}, change(1, 0)).version).toBe(1)
  expect(newer(sold(7), change(1, 8))).toEqual({ version: 1, ...sold(8) })
})

test('a polled part that is older than the known state changes nothing', () => {
  const known = { version: 5, ...sold(34) }
  expect(polled(known, sold(33), 4)).toBe(known)
  expect(polled(known, sold(35), 6)).toEqual({ version: 5, ...sold(35) })
  expect(polled({ version: 5, ...sold(35) }, sold(34), 5).stats).toEqual(sold(35).stats)
})

test('an equal polled part changes nothing, even with a newer version', () => {
  const known = { version: 5, winner: null }
  expect(polled(known, { winner: null }, 7)).toBe(known)
})
