import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EventTerms, termsLine } from '../../../core/terms.ts'
import { changesSince, keepPromise, keptPromises } from './promise.ts'

const bought: EventTerms = {
  eventNumber: 3,
  chainId: 56,
  token: `0x${'bb'.repeat(20)}`,
  operatorWallet: `0x${'aa'.repeat(20)}`,
  anchorWallet: null,
  ticketPrice: 3n,
  saleStart: new Date('2026-12-01T00:00:00Z'),
  saleEnd: null,
  drawDate: null,
  firstTicketAt: null,
  minTickets: 100,
  autoDraw: true,
  entropy: 'blocks',
  winners: 1,
  claimDays: 30,
  maxTickets: null,
  maxPerWallet: null,
  ownWallets: [],
  contentSha256: null,
}
const line = (change: Partial<EventTerms> = {}) => termsLine({ ...bought, ...change })
const keep = (change: Partial<EventTerms> = {}) =>
  keepPromise({ eventNumber: 3, terms: line(change), firstDrawDate: null })
const told = async (now: string) =>
  (await changesSince(keptPromises(3), now)).map(({ field, isAllowed }) => [field, isAllowed])

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a browser that has not bought compares nothing', async () => {
  expect(await told(line({ minTickets: 1 }))).toEqual([])
})

test('each line that was promised is kept once, and the terms are held against all of them', async () => {
  keep()
  keep()
  keep({ minTickets: 50 })
  expect(keptPromises(3)).toHaveLength(2)
  expect(await told(line({ minTickets: 50 }))).toEqual([['minTickets', true]])
  expect(await told(line({ minTickets: 70 }))).toEqual([['minTickets', false]])
  expect(await told(line({ ticketPrice: 4n, minTickets: 50 }))).toEqual([
    ['ticketPrice', false],
    ['minTickets', true],
  ])
  expect(await told('not a line')).toEqual([['eventNumber', false]])
})

test('promises of another event, and damaged ones, are left alone', async () => {
  keepPromise({ eventNumber: 2, terms: line(), firstDrawDate: null })
  localStorage.setItem('blockdraw:terms', JSON.stringify([{ eventNumber: 3 }, 7, null]))
  expect(keptPromises(3)).toEqual([])
})
