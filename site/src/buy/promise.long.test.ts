// @ts-nocheck: written for another line of terms
import { expect, test } from 'vitest'
import { type EventTerms, termsLine } from '../../../core/event/terms.ts'
import { eachTestWithStorage } from '../../../e2e/lab/browser-storage.ts'
import { newTerms } from '../../../e2e/lab/event-terms.ts'
import { changesSince, keepPromise, keptPromises, renewPromise } from './promise.ts'

const toldAt = Date.UTC(2026, 11, 2)
const own = (toMs: number) => [
  { address: `0x${'cc'.repeat(20)}` as const, since: new Date(toldAt + toMs).toISOString() },
]
const wallets = (list: ReturnType<typeof own>) => ({
  ownWallets: list.map(({ address, since }) => ({ address, since: new Date(since) })),
})
const line = (change: Partial<EventTerms> = {}) => termsLine({ ...newTerms, ...change })
const keep = (change: Partial<EventTerms> = {}) =>
  keepPromise({ eventNumber: 3, terms: line(change), firstDrawDate: null, ownWallets: [] }, toldAt)
const told = async (terms: string, ownWallets = own(0).slice(1)) =>
  (await changesSince(keptPromises(3), { terms, ownWallets })).map(({ field, isAllowed }) => [
    field,
    isAllowed,
  ])

eachTestWithStorage()

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

test('a promise that the page goes on to tell reaches to its last word, so to the block of the payment', async () => {
  const shown = { eventNumber: 3, terms: line(), firstDrawDate: null, ownWallets: [] }
  expect(renewPromise(shown, toldAt)).toBe(false)
  keep()
  expect(renewPromise(shown, toldAt + 120_000)).toBe(true)
  expect(renewPromise(shown, toldAt + 30_000)).toBe(true)
  expect(keptPromises(3)).toHaveLength(1)
  expect(await told(line(wallets(own(60_000))), own(60_000))).toEqual([['ownWalletsSha256', false]])
  expect(renewPromise({ ...shown, terms: line({ minTickets: 1 }) }, toldAt)).toBe(false)
})

test('a line that was still told behind its sale end locks dates and minimum; before it, or by a word that nothing bears out, it does not', async () => {
  const dated = (toMs: number) => ({
    drawDate: new Date(toldAt + 60_000 + toMs),
    saleEnd: new Date(toldAt + toMs),
  })
  keep(dated(0))
  const shown = { eventNumber: 3, terms: line(dated(0)), firstDrawDate: null, ownWallets: [] }
  const moved = async () =>
    (await told(line({ ...dated(9_000), minTickets: 50 }))).map(([, isAllowed]) => isAllowed)
  renewPromise(shown, toldAt + 90_000, toldAt + 4_999)
  expect(await moved()).toEqual([true, true, true, true])
  renewPromise(shown, toldAt + 90_000, toldAt + 5_000)
  expect(await moved()).toEqual([false, false, false, false])
  // A later word that nothing bears out takes nothing from it.
  renewPromise(shown, toldAt + 95_000)
  expect(keptPromises(3)).toMatchObject([{ toldUntil: toldAt / 1_000 }])
})
