import { expect, test } from 'vitest'
import type { PublicConfig, WalletReport } from '../../../core/live/public.ts'
import { isSoldOut, limitFacts, roomFor } from './limits.ts'

const alice = `0x${'a1'.repeat(20)}` as const
const hash = (index: number) => `0x${`${index}`.repeat(64)}` as const
const capped = (maxTickets: number | null, maxPerWallet: number | null) =>
  ({ maxTickets, maxPerWallet }) as PublicConfig
const stats = { ticketsSold: 7, ticketPrice: 3 }
const mine = (ticketCount: number, transactionHash = hash(1)) =>
  ({ walletAddress: alice, ticketCount, payments: [{ transactionHash }] }) as WalletReport
const bought = (quantity: number, index: number, walletAddress = alice.toUpperCase()) => ({
  ...{ hash: hash(index), status: 'confirming' as const, quantity, walletAddress },
})

test('the page keeps its own sentences for an event without a cap, and says the limit of one that has it', () => {
  expect(
    Object.values(limitFacts({ maxTickets: null, maxPerWallet: null })).every((text) => text === null),
  ).toBe(true)
  expect(limitFacts(capped(12, 5))).toMatchObject({
    limit: 'At most 5 tickets per wallet, 12 tickets in all',
    limitHint: 'At most 5 tickets per wallet, 12 tickets in all.',
    ofMost: ', 12 at most',
  })
  expect(limitFacts(capped(1_000, null)).limit).toBe('No Purchase Limit Per Wallet, 1,000 tickets in all')
  expect(limitFacts(capped(12, 5), stats)).toMatchObject({ examplePaid: '15', exampleBought: '5 tickets' })
  expect(limitFacts(capped(120, null), stats)).toMatchObject({
    examplePaid: '99',
    exampleBought: '33 tickets',
  })
  expect(limitFacts(capped(null, 1))).toMatchObject({ limit: 'At most 1 ticket per wallet', ofMost: '' })
})

test('a wallet is left what both caps leave, less what is on its way from this browser', () => {
  const room = (
    purchases: Parameters<typeof roomFor>[0]['purchases'] = [],
    address: string | undefined = alice,
  ) => roomFor({ config: capped(12, 5), stats, mine: mine(2), purchases, address })
  expect(room()).toMatchObject({
    limit: 3,
    isFull: false,
    hint: 'Up to 5 tickets per wallet; you have 2. 5 tickets are left.',
  })
  expect(room([bought(2, 2)])).toMatchObject({ limit: 1, isFull: false })
  expect(room([bought(3, 2)])).toMatchObject({ limit: 1, isFull: true })
  // What the server lists is counted once, and what another wallet of this browser paid is not this one's.
  expect(room([bought(3, 1)]).limit).toBe(3)
  expect(room([bought(3, 2, `0x${'b0'.repeat(20)}`)]).limit).toBe(3)
  expect(
    roomFor({ config: capped(12, 5), stats, mine: undefined, purchases: [], address: undefined }).limit,
  ).toBe(5)
})

test('without a cap nothing is limited and nothing said', () => {
  expect(
    roomFor({ config: capped(null, null), stats, mine: mine(2), purchases: [], address: alice }),
  ).toEqual({
    ...{ limit: Number.POSITIVE_INFINITY, isSoldOut: false, isFull: false, hint: '' },
  })
})

test('an event is sold out with its last ticket', () => {
  expect([7, 8].map((most) => isSoldOut(capped(most, null), stats))).toEqual([true, false])
  expect(isSoldOut(capped(null, 1), stats)).toBe(false)
})
