import type { BrowserContext } from 'playwright-core'
import { keccak256, toHex } from 'viem'
import type { PublicHistoryItem, PublicPurchase, PublicState } from '../../core/public.ts'

type Part = { [K in keyof PublicState]?: Partial<PublicState[K]> }

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const hashOf = (number: number) => keccak256(toHex(`purchase ${number}`))
const randomNumber = '78541660797044910968829902406342334108369226379826116161446989989268089806461'
const inFuture = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()
const day = 86_400

/** Invented states, dated now, for pictures of the page that would take days to reach. */
export function madeUp(): readonly [name: string, section: string, state: Part][] {
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
  const passed = { drawDate: inFuture(-90), saleEndDate: inFuture(-day) }

  return [
    ['home-scheduled', 'home', { ...scheduled, stats: { ticketsSold: 12_377 } }],
    ['recent-full', 'recent', { recent, stats: { ticketsSold: 12_377 } }],
    ['buy-closing', 'buy', { config: { drawDate: inFuture(day + 90), saleEndDate: inFuture(90) } }],
    ['buy-closed', 'buy', { config: passed }],
    ['buy-paused', 'buy', { config: { salesPaused: true } }],
    ['winner-scheduled', 'winner', { ...scheduled, history }],
    ['winner-awaiting', 'winner', { config: passed, history }],
    ['winner-drawing', 'winner', { config: passed, history, drawStatus: { isDrawing: true } }],
    [
      'winner-announced',
      'winner',
      { config: { ...passed, googleFormUrl: 'https://forms.example/1' }, history, winner },
    ],
    ['winner-refund', 'winner', { config: { ...passed, isRefundMode: true }, history }],
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
  stats: '/raffle/stats',
  recent: '/tickets/recent',
  winner: '/raffle/winner',
  drawStatus: '/raffle/draw-status',
  history: '/raffle/history',
  eventSettings: '/event/settings',
} as const

/** Makes the stream and its calls return an invented state over the real one. */
export async function fakeState(
  context: BrowserContext,
  { url }: { url: string },
  state: Part,
): Promise<void> {
  const entries = Object.entries(paths) as [keyof typeof paths, string][]
  const parts = await Promise.all(
    entries.map(async ([name, path]) => {
      const real = await (await fetch(`${url}/api${path}`)).json()
      const part = name in state ? state[name] : real
      const whole = Array.isArray(part) || !real ? part : { ...real, ...part }
      await context.route(`**/api${path}`, (route) => route.fulfill({ json: whole }))
      return [name, whole] as const
    }),
  )
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
