import { expect, test } from 'vitest'
import type { Known } from './live.ts'
import { tellsOfPages } from './page-changes.ts'

const known = {
  version: 7,
  ...{ stats: { ticketsSold: 1 }, recent: [], solvency: null, config: { eventNumber: 1 }, winner: null },
} as unknown as Known
const after = (change: object): Known => ({ ...known, ...change }) as Known

test('a sale tells nothing of a page; a date, a result, or a change that no part shows does', () => {
  expect(tellsOfPages(known, after({ version: 8, stats: {}, recent: [] }))).toBe(false)
  expect(tellsOfPages(known, after({ version: 8, stats: {}, config: { eventNumber: 1 } }))).toBe(true)
  expect(tellsOfPages(known, after({ version: 8, winner: {} }))).toBe(true)
  expect(tellsOfPages(known, after({ version: 8 }))).toBe(true)
})

test('neither the first state nor what is polled again is a change', () => {
  expect(tellsOfPages({}, known)).toBe(false)
  expect(tellsOfPages(known, after({ winner: {} }))).toBe(false)
})
