import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EventTerms, termsFields, termsLine } from './terms.ts'
import { compareTerms } from './terms-compare.ts'

const day = (days: number) => new Date(Date.UTC(2026, 11, 1) + days * 86_400_000)
const wallet = `0x${'aa'.repeat(20)}` as const
const bought: EventTerms = {
  eventNumber: 3,
  chainId: 56,
  token: `0x${'bb'.repeat(20)}`,
  operatorWallet: wallet,
  anchorWallet: null,
  ticketPrice: 3n,
  saleStart: day(0),
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
const dated = { ...bought, drawDate: day(10), saleEnd: day(9) }
const differences = (before: EventTerms, after: Partial<EventTerms>, first?: Date) =>
  compareTerms(termsLine(before), termsLine({ ...before, ...after }), first)?.map(
    ({ field, isAllowed }) => `${field} ${isAllowed ? 'allowed' : 'broken'}`,
  )

test('what the locks let change is allowed: dates from none, moved dates, a lower minimum, other anchor and own wallets', () => {
  expect(differences(bought, {})).toEqual([])
  expect(differences(bought, { drawDate: day(10), saleEnd: day(9), firstTicketAt: day(1) })).toEqual([
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
    differences(bought, {
      minTickets: 99,
      anchorWallet: wallet,
      ownWallets: [{ address: wallet, since: day(1) }],
    }),
  ).toEqual(['anchorWallet allowed', 'minTickets allowed', 'ownWalletsSha256 allowed'])
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
  const undated = { ...bought, firstTicketAt: day(1) }
  expect(differences(undated, { drawDate: day(174), saleEnd: day(173) })).toEqual([
    'saleEnd allowed',
    'drawDate allowed',
    'drawBy allowed',
  ])
  expect(differences(undated, { drawDate: day(175), saleEnd: day(174) })).toContain('drawBy broken')
  const late = termsLine(dated).replace(`,${day(17).getTime() / 1000},`, `,${day(18).getTime() / 1000},`)
  expect(compareTerms(termsLine(dated), late)).toMatchObject([{ field: 'drawBy', isAllowed: false }])
  expect(compareTerms('x', termsLine(dated))).toBeUndefined()
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
      const found = compareTerms(line, `${values.join()}\n`)
      expect(found?.find((change) => change.field === field)).toMatchObject({ isAllowed: false })
    }),
  )
})
