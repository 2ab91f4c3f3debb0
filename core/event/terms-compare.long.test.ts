import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newTerms } from '../../e2e/lab/event-terms.ts'
import { type EventTerms, termsFields, termsLine } from './terms.ts'
import { compareTerms, type KeptTerms, type ToldTerms } from './terms-compare.ts'

const day = (days: number) => new Date(Date.UTC(2026, 11, 1) + days * 86_400_000)
const wallet = `0x${'aa'.repeat(20)}` as const
const dated = { ...newTerms, drawDate: day(10), saleEnd: day(9) }
/** Kept on the second day of the event. */
const kept = (terms: string, change: Partial<KeptTerms> = {}): KeptTerms[] => [
  { terms, firstDrawDate: null, ownUntil: day(1).getTime() / 1000, ...change },
]
const told = (terms: EventTerms): ToldTerms => ({
  terms: termsLine(terms),
  ownWallets: terms.ownWallets.map(({ address, since }) => ({ address, since: since.toISOString() })),
})
const differences = (before: EventTerms, after: Partial<EventTerms>, first?: Date) =>
  compareTerms(
    kept(termsLine(before), { firstDrawDate: first?.toISOString() ?? null }),
    told({ ...before, ...after }),
  )?.map(({ field, isAllowed }) => `${field} ${isAllowed ? 'allowed' : 'broken'}`)

test('what the locks let change is allowed: dates from none, moved dates, a lower minimum, other anchor and own wallets', () => {
  expect(differences(newTerms, {})).toEqual([])
  expect(differences(newTerms, { drawDate: day(10), saleEnd: day(9), firstTicketAt: day(1) })).toEqual([
    'saleEnd allowed',
    'drawDate allowed',
    'drawBy allowed',
    'dateBy allowed',
  ])
  const moved = ['saleEnd allowed', 'drawDate allowed', 'drawBy allowed']
  expect(differences(dated, { drawDate: day(5), saleEnd: day(4) })).toEqual(moved)
  expect(differences(dated, { drawDate: day(40), saleEnd: day(39) })).toEqual(moved)
  expect(differences(dated, { drawDate: day(45), saleEnd: day(44) }, day(15))).toEqual(moved)
  expect(
    differences(newTerms, {
      minTickets: 99,
      anchorWallet: wallet,
      ownWallets: [{ address: wallet, since: day(1.1) }],
    }),
  ).toEqual(['anchorWallet allowed', 'minTickets allowed', 'ownWalletsSha256 allowed'])
})

test('a later list of own wallets keeps the former one whole, and adds only wallets of a later moment', () => {
  const own = (at: number, address: `0x${string}` = wallet) => ({ address, since: day(at) })
  const other = `0x${'cc'.repeat(20)}` as const
  const from = (...ownWallets: EventTerms['ownWallets']) => {
    const before = { ...newTerms, ownWallets }
    return (...later: EventTerms['ownWallets']) => differences(before, { ownWallets: later })
  }
  const allowed = ['ownWalletsSha256 allowed']
  const broken = ['ownWalletsSha256 broken']
  expect(from()(own(1.1), own(3, other))).toEqual(allowed)
  expect(from(own(0.5))(own(0.5), own(1.1, other))).toEqual(allowed)
  // Backwards, to the second of the last word too; moved; no longer named; another one's moment.
  expect(from()(own(0.5))).toEqual(broken)
  expect(from()(own(1))).toEqual(broken)
  expect(from(own(0.5))(own(0.4))).toEqual(broken)
  expect(from(own(0.5))(own(2))).toEqual(broken)
  expect(from(own(0.5))()).toEqual(broken)
  expect(from(own(0.5))(own(0.5, other))).toEqual(broken)
  expect(from(own(0.5))(own(0.5), own(0.6, other))).toEqual(broken)
  // The list that is told is not the one of the terms that are told.
  const line = termsLine({ ...newTerms, ownWallets: [own(2)] })
  expect(compareTerms(kept(termsLine(newTerms)), { terms: line, ownWallets: [] })).toMatchObject([
    { field: 'ownWalletsSha256', isAllowed: false },
  ])
})

test('anything else is broken: a date too late or taken away, another lead or deadline, a higher minimum', () => {
  expect(differences(dated, { drawDate: day(41), saleEnd: day(40) })).toContain('drawDate broken')
  expect(differences(dated, { drawDate: null, saleEnd: null })).toEqual([
    'saleEnd broken',
    'drawDate broken',
    'drawBy broken',
  ])
  expect(differences(dated, { saleEnd: day(8) })).toEqual(['saleEnd broken'])
  expect(differences(dated, { minTickets: 101 })).toEqual(['minTickets broken'])
  expect(differences({ ...dated, firstTicketAt: day(1) }, { firstTicketAt: day(2) })).toEqual([
    'dateBy broken',
  ])
  const undated = { ...newTerms, firstTicketAt: day(1) }
  expect(differences(undated, { drawDate: day(174), saleEnd: day(173) })).toEqual([
    'saleEnd allowed',
    'drawDate allowed',
    'drawBy allowed',
  ])
  expect(differences(undated, { drawDate: day(175), saleEnd: day(174) })).toContain('drawBy broken')
  const late = termsLine(dated).replace(`,${day(17).getTime() / 1000},`, `,${day(18).getTime() / 1000},`)
  expect(compareTerms(kept(termsLine(dated)), { terms: late, ownWallets: [] })).toMatchObject([
    { field: 'drawBy', isAllowed: false },
  ])
  expect(compareTerms(kept('x'), told(dated))).toBeUndefined()
})

test('no change of another field is ever allowed', () => {
  const line = termsLine({ ...dated, maxTickets: 5 })
  const wallets = fc.constantFrom(`0x${'cc'.repeat(20)}`, `0x${'dd'.repeat(20)}`)
  const others = fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'chainId',
        'ticketPrice',
        'saleStart',
        'winners',
        'claimDays',
        'maxTickets',
        'maxPerWallet',
      ),
      fc.integer({ min: 200, max: 10 ** 9 }).map(String),
    ),
    fc.tuple(fc.constantFrom('token', 'operatorWallet'), wallets),
    fc.constantFrom(['autoDraw', 'false'], ['entropy', 'blocks+drand'], ['maxTickets', 'none']),
    fc.tuple(fc.constant('contentSha256'), fc.constant(`0x${'ab'.repeat(32)}`)),
  )
  fc.assert(
    fc.property(others, ([field, value]) => {
      const values = line.trim().split(',')
      values[(termsFields as readonly string[]).indexOf(field as string) + 1] = value as string
      const found = compareTerms(kept(line), { terms: `${values.join()}\n`, ownWallets: [] })
      expect(found?.find((change) => change.field === field)).toMatchObject({ isAllowed: false })
    }),
  )
})

test('a draw date that moves alone, behind a sale end that stays, breaks the promise', () => {
  const later = new Date(day(10).getTime() + 11_000)
  expect(differences(dated, { drawDate: later })).toEqual(['drawDate broken', 'drawBy allowed'])
})
