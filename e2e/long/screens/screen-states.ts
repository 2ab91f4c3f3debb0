import type { BrowserContext } from 'playwright-core'
import type {
  PublicDrawnTicket,
  PublicHistoryItem,
  PublicState,
  WalletReport,
} from '../../../core/live/public.ts'
import { refundCauses } from '../../../core/refund/rules.ts'
import {
  after,
  beaconState,
  beaconStates,
  day,
  drawnTickets,
  hashOf,
  historyAt,
  type Part,
  recentAt,
  winnerAt,
} from '../../lab/told.ts'
import { covers, prizesAt } from '../../lab/told-money.ts'
import { fakeVisitor, houseStates } from './house-states.ts'
import { madeUpProof } from './made-up-proof.ts'
import { madeUpSales } from './made-up-sales.ts'

export type Shown = readonly [name: string, section: string, state: Part]

/** Invented states, dated now, for pictures of the page that would take days to reach. */
export function madeUp(): readonly Shown[] {
  const now = Date.now()
  const inFuture = (seconds: number) => after(now, seconds)
  const [recent, history, winner] = [recentAt(now), historyAt(now), winnerAt(now)]
  const { prize, states: prizeStates, several } = prizesAt(now)
  const scheduled = { config: { drawDate: inFuture(3 * day), saleEndDate: inFuture(2 * day) } }
  const own = [{ ...(history[0] as PublicHistoryItem), id: 13, eventNumber: 13 }, ...history]
  const passed = { drawDate: inFuture(-90), saleEndDate: inFuture(-day) }

  return [
    ['buy-sales-none', 'buy', { ...scheduled, stats: { ticketsSold: 0 } }],
    ['buy-sales-few', 'buy', { ...scheduled, stats: { ticketsSold: 37 } }],
    ['buy-sales-many', 'buy', { ...scheduled, stats: { ticketsSold: 12_377 } }],
    ['buy-sales-over', 'buy', { config: passed, stats: { ticketsSold: 12_377 }, winner }],
    ['home-scheduled', 'home', { ...scheduled, stats: { ticketsSold: 12_377 } }],
    ['recent-full', 'recent', { recent, stats: { ticketsSold: 12_377 } }],
    ['buy-closing', 'buy', { config: { drawDate: inFuture(day + 90), saleEndDate: inFuture(90) } }],
    ['buy-closed', 'buy', { config: passed }],
    ['buy-paused', 'buy', { config: { salesPaused: true } }],
    ['winner-scheduled', 'winner', { ...scheduled, history }],
    ['winner-awaiting', 'winner', { config: passed, history }],
    ['winner-drawing', 'winner', { config: passed, history, drawStatus: { isDrawing: true } }],
    ['winner-hidden', 'winner', { config: passed, history, drawStatus: { isWinnerHidden: true } }],
    [
      'winner-announced',
      'winner',
      { config: { ...passed, googleFormUrl: 'https://forms.gle/1' }, history, winner, prizes: [prize()] },
    ],
    [
      'winner-own-won',
      'winner',
      { config: passed, history: own, winner, winners: drawnTickets(13, 1), prizes: [prize()] },
    ],
    [
      'winner-own-lost',
      'winner',
      { config: passed, history: own, winner, winners: drawnTickets(13, 1), prizes: [prize()] },
    ],
    ...(['paid', 'due'] as const).map((name): Shown => {
      const refund = { isRefundMode: true, refundReason: 'minimum' } as const
      const config = { ...passed, ...refund, eventNumber: 13 }
      return [
        `winner-own-${name}`,
        'winner',
        { config, drawStatus: refund, history, stats: { ticketsSold: 37 } },
      ]
    }),
    ...Object.entries(covers(now)).map(
      ([name, solvency]): Shown => [
        `buy-cover-${name}`,
        'buy',
        { ...scheduled, stats: { ticketsSold: 12_377 }, solvency },
      ],
    ),
    ...Object.entries(prizeStates).map(
      ([name, one]): Shown => [
        `winner-prize-${name}`,
        'winner',
        {
          ...{ config: { ...passed, googleFormUrl: 'https://forms.gle/1' }, history, winner },
          ...{ winners: drawnTickets(13, 1), prizes: [one] },
        },
      ],
    ),
    [
      'winner-prizes',
      'winner',
      { config: passed, history, winner, winners: drawnTickets(13, 3), prizes: several },
    ],
    ...beaconStates.flatMap(([name, beacon, ahead]): Shown[] => [
      [`winner-beacon-${name}`, 'winner', { ...beaconState(now, beacon, ahead), history }],
      [
        `start-beacon-${name}`,
        'home',
        { ...beaconState(now, beacon, ahead), stats: { ticketsSold: 12_377 } },
      ],
    ]),
    ...[3, 20].map((count): Shown => {
      const winners = drawnTickets(13, count)
      const past = { ...(history[0] as PublicHistoryItem), winners: drawnTickets(12, 3).slice(0, 3) }
      return [
        `winner-several-${count}`,
        'winner',
        {
          ...{ config: passed, history: [past, ...history.slice(1)], winner, winners },
          prizes: winners
            .slice(0, count)
            .map(({ place, walletAddress }) =>
              prize({ place, holder: { kind: 'winner', place, walletAddress } }),
            ),
        },
      ]
    }),
    ...refundCauses.flatMap((refundReason): Shown[] => {
      const drawStatus = { isRefundMode: true, refundReason }
      const config = { ...(refundReason === 'stopped' ? {} : passed), isRefundMode: true, refundReason }
      return [
        [`winner-refund-${refundReason}`, 'winner', { config, drawStatus, history }],
        [
          `overlay-refund-${refundReason}`,
          'home',
          { config, drawStatus: { ...drawStatus, refundNotice: true } },
        ],
      ]
    }),
    [
      'winner-refund-open',
      'winner',
      {
        config: { ...passed, isRefundMode: true, refundReason: 'minimum' },
        drawStatus: {
          ...{ isRefundMode: true, refundReason: 'minimum' },
          refunds: [
            { eventNumber: 1, since: inFuture(-3 * day), days: 3, paid: 28, open: 12 },
            { eventNumber: 11, since: inFuture(-day), days: 1, paid: 1_228, open: 1 },
          ],
        },
        history,
      },
    ],
    ...houseStates,
    ['buy-soon', 'buy', { config: { isSoon: true } }],
    ['buy-waits', 'buy', { config: { waitsForNode: true } }],
    ['buy-waits-paused', 'buy', { config: { waitsForNode: true, salesPaused: true } }],
    ['home-paused', 'home', { config: { waitsForNode: true, salesPaused: true } }],
    [
      'next-active',
      'next',
      {
        eventSettings: {
          prizeValue: '3,200',
          prizeDescription: 'A second miner, twice as quiet, drawn before the end of the year.',
          eventStartDate: inFuture(20 * day),
          isActive: true,
        },
      },
    ],
  ]
}

/** Which of the chain's accounts sees such a state as its own: the winner, and one who has not won. */
export const owners = { 'own-won': 1, 'own-lost': 2, 'own-paid': 2, 'own-due': 2 } as const

/** Payments of that account in event 13. */
export const ownReport = (walletAddress: `0x${string}`, name: string): WalletReport => ({
  ...{ walletAddress, ticketCount: 10 },
  payments: [
    {
      ...{ eventNumber: 13, transactionHash: hashOf(1), status: 'credited', reason: null, ticketNumber: 1 },
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

const paths = {
  config: '/raffle/config',
  winners: '/raffle/winners',
  prizes: '/raffle/prizes',
  stats: '/raffle/stats',
  recent: '/tickets/recent',
  winner: '/raffle/winner',
  drawStatus: '/raffle/draw-status',
  history: '/raffle/history',
  eventSettings: '/event/settings',
  solvency: '/raffle/solvency',
  rules: '/raffle/rules',
} as const

/** Makes the stream and its calls return an invented state over the real one. */
export async function fakeState(
  context: BrowserContext,
  { url }: { url: string },
  state: Part,
): Promise<void> {
  const proof = JSON.stringify(
    madeUpProof((state.winners as PublicDrawnTicket[] | undefined) ?? drawnTickets(13, 1)),
  )
  await context.route('**/api/raffle/proof/13', (route) => route.fulfill({ body: proof }))
  if (state.rules?.closedCountries) await fakeVisitor(context, true)
  const { prizes } = state
  await context.route('**/api/raffle/prizes/*', (route) => {
    const asked = Number(new URL(route.request().url()).pathname.split('/').pop())
    return route.fulfill({ json: (prizes ?? []).filter((one) => one?.eventNumber === asked) })
  })
  const entries = Object.entries(paths) as [keyof typeof paths, string][]
  const parts = await Promise.all(
    entries.map(async ([name, path]) => {
      const real = await (await fetch(`${url}/api${path}`)).json()
      const part = name in state ? state[name] : real
      const whole = Array.isArray(part) || !real || !part ? part : { ...real, ...part }
      await context.route(`**/api${path}`, (route) => route.fulfill({ json: whole }))
      return [name, whole] as const
    }),
  )
  const { config, stats } = Object.fromEntries(parts) as unknown as PublicState
  const sales = madeUpSales(config, stats.ticketsSold)
  await context.route('**/api/raffle/sales/*', (route) => route.fulfill({ json: sales }))
  await context.addInitScript((snapshot) => {
    const Fake = class extends EventTarget {
      constructor() {
        super()
        const data = JSON.stringify({ ...snapshot, version: 1, now: Date.now() })
        setTimeout(() => this.dispatchEvent(new MessageEvent('snapshot', { data })), 50)
        setInterval(() => {
          const beat = JSON.stringify({ version: 1, now: Date.now(), stale: false })
          this.dispatchEvent(new MessageEvent('beat', { data: beat }))
        }, 1000)
      }
      close() {}
    }
    Object.assign(window, { EventSource: Fake })
  }, Object.fromEntries(parts))
}
