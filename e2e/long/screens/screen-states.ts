import type { BrowserContext } from 'playwright-core'
import { keccak256, toHex } from 'viem'
import { blockSeedOf, drawWinner } from '../../../core/draw/draw.ts'
import { termsLine } from '../../../core/event/terms.ts'
import type {
  PublicDrawnTicket,
  PublicHistoryItem,
  PublicPurchase,
  PublicState,
  WouldHaveWon,
} from '../../../core/live/public.ts'
import { refundCauses } from '../../../core/refund/rules.ts'
import { keepTerms } from '../../lab/kept-terms.ts'
import { usdt } from '../../lab/usdt.ts'
import { fakeVisitor, houseStates } from './house-states.ts'
import { madeUpProof } from './made-up-proof.ts'
import { madeUpSales } from './made-up-sales.ts'
import { covers, prize, prizeStates, severalPrizes } from './money-states.ts'

type Part = { [K in keyof PublicState]?: Partial<PublicState[K]> | undefined }
export type Shown = readonly [name: string, section: string, state: Part, promised?: string]

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const hashOf = (number: number) => keccak256(toHex(`purchase ${number}`))
const randomNumber = '78541660797044910968829902406342334108369226379826116161446989989268089806461'
const inFuture = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()
const day = 86_400

const blocks = [1, 2, 3, 4, 5].map((number) => ({
  number: 124_045_344 + number,
  hash: hashOf(1_000 + number),
  timestamp: 1_800_000_000 + number,
}))
const undrawnTickets = 12_377
const { winningTicket, ...result } = drawWinner(
  blockSeedOf(blocks.map((block) => block.hash)),
  undrawnTickets,
)
/** An event of these five blocks that was refunded, not drawn. */
export const undrawn: WouldHaveWon = {
  ...result,
  ...{ ticketNumber: winningTicket, ticketsSold: undrawnTickets, walletAddress: wallet, blocks },
  ...{ transactionHash: hashOf(1), ledgerSha256: hashOf(99), randomNumber: `${result.randomNumber}` },
  beacon: null,
}

/** Places 1 to `count` of an event's winners, and three reserves. */
export function drawnTickets(eventNumber: number, count: number): PublicDrawnTicket[] {
  const ticket = (kind: PublicDrawnTicket['kind'], place: number): PublicDrawnTicket => {
    const seed = keccak256(toHex(`${kind} ${place}`))
    const first = kind === 'winner' && place === 1
    return {
      ...{ eventNumber, kind, place, transactionHash: first ? hashOf(1) : hashOf(500 + place) },
      walletAddress: first ? wallet : `0x${seed.slice(2, 42)}`,
      ticketNumber: first ? 10_331 : 1 + Number(BigInt(seed) % 12_377n),
    }
  }
  const places = (kind: PublicDrawnTicket['kind'], most: number) =>
    Array.from({ length: most }, (_, index) => ticket(kind, index + 1))
  return [...places('winner', count), ...places('reserve', 3)]
}

/** How a draw with a round of drand stands, `ahead` seconds before the round's time. */
export function beaconState(
  beacon: 'sealed' | 'awaited' | 'found',
  ahead: number,
): { config: Partial<PublicState['config']>; drawStatus: Partial<PublicState['drawStatus']> } {
  const due = Date.now() + ahead * 1000
  const at = (time: number) => new Date(time).toISOString()
  const areFinal = ahead < 58
  return {
    config: {
      ...{ drawDate: at(due - 60_000), saleEndDate: at(due - day * 1000), entropy: 'blocks+drand' },
      beaconRound: 34_441_032,
    },
    drawStatus: {
      ...{ beacon, beaconDueAt: at(due), blockSeed: areFinal ? hashOf(77) : null },
      drawBlocks: areFinal ? blocks.map(({ number, hash }) => ({ number, hash })) : null,
    },
  }
}

/** What a browser was promised, and what the page says now. */
export const termsOf = (change: Partial<Parameters<typeof termsLine>[0]> = {}): string =>
  termsLine({
    ...{ eventNumber: 1, chainId: 56, token: usdt, operatorWallet: wallet, anchorWallet: null },
    ...{ ticketPrice: 3n * 10n ** 18n, saleStart: new Date('2055-01-01T00:00:00Z'), saleEnd: null },
    ...{ drawDate: null, firstTicketAt: null, minTickets: 100, autoDraw: true, entropy: 'blocks' },
    ...{ winners: 1, claimDays: 30, maxTickets: null, maxPerWallet: null, ownWallets: [] },
    contentSha256: null,
    ...change,
  })

/** Invented states, dated now, for pictures of the page that would take days to reach. */
export function madeUp(): readonly Shown[] {
  const recent: PublicPurchase[] = Array.from({ length: 12 }, (_, index) => ({
    id: 12 - index,
    ticketNumber: 1 + (11 - index) * 1033,
    ticketCount: index === 3 ? 12_345 : index === 5 ? 1 : 33,
    transactionHash: hashOf(index),
    walletAddress: index % 2 ? wallet : other,
    createdAt: inFuture(-7 * (index + 1) ** 4),
    amount: index === 3 ? 3_703_500 : index === 5 ? 300 : 9_900,
  }))

  const history: PublicHistoryItem[] = Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    eventNumber: 12 - index,
    drawDate: inFuture(-(index + 1) * 9 * day),
    winnerWallet: index === 2 ? null : wallet,
    winnerTransactionHash: index === 2 ? null : hashOf(index),
    randomNumber: index === 2 ? null : randomNumber,
    winners: [],
    prizes:
      index === 2
        ? []
        : [{ place: 1, kind: 'goods', units: null, state: 'delivered', walletAddress: wallet } as const],
    wouldHaveWon: index === 2 ? undrawn : null,
  }))

  const winner = {
    eventNumber: 13,
    walletAddress: wallet,
    transactionHash: hashOf(1),
    ticketNumber: 10_331,
    randomNumber,
    announcedAt: inFuture(-60),
  } as const

  const scheduled = { config: { drawDate: inFuture(3 * day), saleEndDate: inFuture(2 * day) } }
  const caps = { maxTickets: 12, maxPerWallet: 5, minTicketsForDraw: 10 }
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
    [
      'home-capped',
      'home',
      { ...scheduled, config: { ...scheduled.config, ...caps }, stats: { ticketsSold: 7 } },
    ],
    ['buy-capped', 'buy', { config: { ...scheduled.config, ...caps }, stats: { ticketsSold: 7 } }],
    ['buy-sold-out', 'buy', { config: { ...scheduled.config, ...caps }, stats: { ticketsSold: 12 } }],
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
    ...Object.entries(covers()).map(
      ([name, solvency]): Shown => [
        `buy-cover-${name}`,
        'buy',
        { ...scheduled, stats: { ticketsSold: 12_377 }, solvency },
      ],
    ),
    ...Object.entries(prizeStates()).map(
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
      { config: passed, history, winner, winners: drawnTickets(13, 3), prizes: severalPrizes() },
    ],
    ...(
      [
        ['named', 'sealed', 3 * day],
        ['settling', 'sealed', 59],
        ['waiting', 'sealed', 43],
        ['late', 'awaited', -40],
        ['found', 'found', -5],
      ] as const
    ).flatMap(([name, beacon, ahead]): Shown[] => [
      [`winner-beacon-${name}`, 'winner', { ...beaconState(beacon, ahead), history }],
      [`start-beacon-${name}`, 'home', { ...beaconState(beacon, ahead), stats: { ticketsSold: 12_377 } }],
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
    ...(['winner', 'overlay'] as const).map((place): Shown => {
      const refund = { isRefundMode: true, refundReason: 'overdue' } as const
      const drawStatus = { ...refund, refundNotice: place === 'overlay', wouldHaveWon: undrawn }
      const stats = { ticketsSold: undrawnTickets }
      return [
        `${place}-would-have-won`,
        'winner',
        { config: { ...passed, ...refund }, drawStatus, history, stats },
      ]
    }),
    ...houseStates,
    ['buy-soon', 'buy', { config: { isSoon: true } }],
    ['buy-waits', 'buy', { config: { waitsForNode: true } }],
    ['buy-waits-paused', 'buy', { config: { waitsForNode: true, salesPaused: true } }],
    ['home-paused', 'home', { config: { waitsForNode: true, salesPaused: true } }],
    ['buy-promise-allowed', 'buy', { config: { terms: termsOf({ minTickets: 50 }) } }, termsOf()],
    [
      'buy-promise-broken',
      'buy',
      { config: { terms: termsOf({ ticketPrice: 4n * 10n ** 18n, operatorWallet: other, minTickets: 50 }) } },
      termsOf(),
    ],
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
  promised?: string,
): Promise<void> {
  if (promised) await keepTerms(context, promised)
  const proof = JSON.stringify(
    madeUpProof(termsOf(), (state.winners as PublicDrawnTicket[] | undefined) ?? drawnTickets(13, 1)),
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
