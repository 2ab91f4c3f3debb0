import type { Page } from 'playwright-core'
import { keccak256, toHex } from 'viem'
import type { PublicRules } from '../../../core/house/rules.ts'
import type { PublicHistoryItem, WalletReport } from '../../../core/live/public.ts'
import {
  after,
  beaconState,
  beaconStates,
  covers,
  day,
  drawnTickets,
  hashOf,
  historyAt,
  type Part,
  prizesAt,
  recentAt,
  winnerAt,
} from '../../lab/told.ts'

export type Shown = readonly [name: string, section: string, state: Part]

const version = (name: string) => ({ sha256: keccak256(toHex(name)), savedAt: '2026-03-01T00:00:00.000Z' })
const texts: Partial<PublicRules> = { terms: version('terms'), privacy: version('privacy') }

/** States of a section, by names that begin with its own. */
const of = (section: string, states: Record<string, Part>, prefix = section): Shown[] =>
  Object.entries(states).map(([name, state]) => [`${prefix}-${name}`, section, state])
const mapped = <T>(states: Record<string, T>, toPart: (state: T) => Part): Record<string, Part> =>
  Object.fromEntries(Object.entries(states).map(([name, state]) => [name, toPart(state)]))

/** Invented states, dated now, that would take days to reach; what is left out differs from these in a sentence or a step. */
export function madeUp(): readonly Shown[] {
  const now = Date.now()
  const inFuture = (seconds: number) => after(now, seconds)
  const [recent, history, winner] = [recentAt(now), historyAt(now), winnerAt(now)]
  const { prize, states: prizeStates, several } = prizesAt(now)
  const scheduled = { config: { drawDate: inFuture(3 * day), saleEndDate: inFuture(2 * day) } }
  const own = [{ ...(history[0] as PublicHistoryItem), id: 13, eventNumber: 13 }, ...history]
  const passed = { drawDate: inFuture(-90), saleEndDate: inFuture(-day) }
  const withForm = { ...passed, googleFormUrl: 'https://forms.gle/1' }
  const [few, many] = [{ ticketsSold: 37 }, { ticketsSold: 12_377 }]
  const over = { config: passed, history }
  const won = { ...over, winner, winners: drawnTickets(13, 1), prizes: [prize()] }
  const minimum = { isRefundMode: true, refundReason: 'minimum' } as const
  const inRefunds = { config: { ...passed, ...minimum }, drawStatus: minimum }
  const toBePaid = { ...inRefunds, history, stats: few }
  const waiting = { waitsForNode: true, salesPaused: true }
  const withSeveral = (count: number): Part => {
    const winners = drawnTickets(13, count)
    const past = { ...(history[0] as PublicHistoryItem), winners: drawnTickets(12, 3).slice(0, 3) }
    const prizes = winners
      .slice(0, count)
      .map(({ place, walletAddress }) => prize({ place, holder: { kind: 'winner', place, walletAddress } }))
    return { config: passed, history: [past, ...history.slice(1)], winner, winners, prizes }
  }
  const beacons = Object.fromEntries(
    beaconStates
      .filter(([name]) => name === 'waiting' || name === 'found')
      .map(([name, beacon, ahead]) => [name, beaconState(now, beacon, ahead)]),
  )
  const { reserve, corrected, delivered } = prizeStates

  return [
    ...of('buy', {
      'sales-none': { ...scheduled, stats: { ticketsSold: 0 } },
      'sales-few': { ...scheduled, stats: few },
      'sales-many': { ...scheduled, stats: many },
      'sales-over': { config: passed, stats: many, winner },
      closing: { config: { drawDate: inFuture(day + 90), saleEndDate: inFuture(90) } },
      closed: { config: passed },
      paused: { config: { salesPaused: true } },
      soon: { config: { isSoon: true } },
      waits: { config: { waitsForNode: true } },
      'waits-paused': { config: waiting },
      'cover-short': { ...scheduled, stats: many, solvency: covers(now).short },
    }),
    ...of('home', { scheduled: { ...scheduled, stats: many }, paused: { config: waiting } }),
    ...of('recent', { full: { recent, stats: many } }),
    ...of('winner', {
      scheduled: { ...scheduled, history },
      awaiting: over,
      drawing: { ...over, drawStatus: { isDrawing: true } },
      hidden: { ...over, drawStatus: { isWinnerHidden: true } },
      announced: { config: withForm, history, winner, prizes: [prize()] },
      'own-won': { ...won, history: own },
      'own-lost': { ...won, history: own },
      'own-paid': toBePaid,
      'own-due': toBePaid,
      prizes: { ...won, winners: drawnTickets(13, 3), prizes: several },
      'several-3': withSeveral(3),
      'several-20': withSeveral(20),
      'refund-minimum': { ...inRefunds, history },
      'refund-open': {
        ...inRefunds,
        drawStatus: {
          ...minimum,
          refunds: [
            { eventNumber: 1, since: inFuture(-3 * day), days: 3, paid: 28, open: 12 },
            { eventNumber: 11, since: inFuture(-day), days: 1, paid: 1_228, open: 1 },
          ],
        },
        history,
      },
    }),
    ...of(
      'winner',
      mapped({ reserve, corrected, delivered }, (one) => ({ ...won, config: withForm, prizes: [one] })),
      'winner-prize',
    ),
    ...of(
      'winner',
      mapped(beacons, (state) => ({ ...state, history })),
      'winner-beacon',
    ),
    ...of(
      'home',
      mapped(beacons, (state) => ({ ...state, stats: many })),
      'start-beacon',
    ),
    ['overlay-refund', 'home', { ...inRefunds, drawStatus: { ...minimum, refundNotice: true } }],
    ...of(
      'buy',
      {
        confirm: { rules: { ...texts, minAge: 19, requireAcceptance: true } },
        closed: { rules: { ...texts, closedCountries: ['KR'] } },
      },
      'house',
    ),
    ...of('next', {
      active: {
        eventSettings: {
          prizeValue: '3,200',
          prizeDescription: 'A second miner, twice as quiet, drawn before the end of the year.',
          eventStartDate: inFuture(20 * day),
          isActive: true,
        },
      },
    }),
  ]
}

/** Opens what such a rule of the land is about. */
export async function openHouse(page: Page, name: string): Promise<void> {
  const isConfirmed = name === 'house-confirm'
  const place = page.locator(
    isConfirmed ? '#buy [aria-labelledby=house-confirm] button' : '#buy [data-gate=closed]',
  )
  await place.waitFor()
  if (isConfirmed) await place.click()
}

/** Which of the chain's accounts sees such a state as its own: the winner, and one who has not won. */
export const owners = { 'own-won': 1, 'own-lost': 2, 'own-paid': 2, 'own-due': 2 } as const

/** Payments of that account: in event 13, or in the running one where money goes back. */
export const ownReport = (walletAddress: `0x${string}`, name: string): WalletReport => ({
  ...{ walletAddress, ticketCount: 10 },
  payments: [
    {
      eventNumber: /paid|due/.test(name) ? 1 : 13,
      ...{ transactionHash: hashOf(1), status: 'credited', reason: null, ticketNumber: 1 },
      ...{ ticketCount: 10, amount: 3_000, createdAt: new Date().toISOString() },
      refund: /paid|due/.test(name)
        ? {
            ...(name.endsWith('paid') ? { amount: 3_000, due: 0 } : { amount: 0, due: 3_000 }),
            ...{ transactionHash: hashOf(2), at: new Date().toISOString() },
          }
        : null,
    },
  ],
})
