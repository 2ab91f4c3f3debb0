import { keccak256, toHex } from 'viem'
import { termsLine } from '../../core/event/terms.ts'
import { noBranding } from '../../core/house/branding.ts'
import { noRules } from '../../core/house/rules.ts'
import type {
  PublicDrawnTicket,
  PublicHistoryItem,
  PublicPurchase,
  PublicSolvency,
  PublicState,
  PublicWinner,
} from '../../core/live/public.ts'
import type { PublicPrize, PublicPrizeStep } from '../../core/prize/promise.ts'
import { usdt } from './usdt.ts'

/** Parts of what the server tells; each is laid over the whole. */
export type Part = { [K in keyof PublicState]?: Partial<PublicState[K]> | undefined }

export const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const hashOf = (number: number) => keccak256(toHex(`purchase ${number}`))
export const day = 86_400
/** `seconds` after `now`, in milliseconds, as the server writes it. */
export const after = (now: number, seconds: number): string => new Date(now + seconds * 1000).toISOString()

const randomNumber = '78541660797044910968829902406342334108369226379826116161446989989268089806461'
const blocks = [1, 2, 3, 4, 5].map((number) => ({
  number: 124_045_344 + number,
  hash: hashOf(1_000 + number),
}))

/** What an event promises. */
export const termsOf = (change: Partial<Parameters<typeof termsLine>[0]> = {}): string =>
  termsLine({
    ...{ eventNumber: 1, chainId: 56, token: usdt, operatorWallet: wallet, anchorWallet: null },
    ...{ ticketPrice: 3n * 10n ** 18n, saleStart: new Date('2055-01-01T00:00:00Z'), saleEnd: null },
    ...{ drawDate: null, book: null, minTickets: 100, autoDraw: true, entropy: 'blocks' },
    ...{ winners: 1, claimDays: 30, formerWallets: [] },
    contentSha256: null,
    ...change,
  })

/** Event 1 on its first day: no date, no ticket, no past. */
export const toldFirst = (now: number): PublicState => ({
  version: 1,
  config: {
    ...{ eventNumber: 1, drawDate: null, saleEndDate: null, saleStart: after(now, -day), drawBy: null },
    ...{ isRefundMode: false, refundReason: null, googleFormUrl: null, operatorWallet: wallet },
    ...{ minTicketsForDraw: 100, chainId: 56, tokenAddress: usdt, saleLeadSeconds: day },
    ...{
      salesPaused: false,
      waitsForNode: false,
      isSoon: false,
      terms: termsOf(),
      termsSha256: hashOf(2),
      book: null,
    },
    ...{
      formerWallets: [],
      ownWallets: [],
      entropy: 'blocks',
      beaconRound: null,
      winners: 1,
      firstDrawDate: null,
    },
    ...{ prizes: [{ kind: 'goods', units: null }], branding: noBranding },
  },
  stats: { ticketsSold: 0, ticketPrice: 3 },
  ...{ recent: [], winner: null, winners: [], prizes: [], history: [] },
  drawStatus: {
    ...{ isDrawing: false, isRefundMode: false, canDraw: false, isWinnerHidden: false, refundNotice: false },
    ...{ refundReason: null, beacon: null, beaconDueAt: null, blockSeed: null, drawBlocks: null },
    refunds: [],
  },
  eventSettings: {
    ...{ prizeImageUrl: null, prizeValue: null, prizeDescription: null, eventStartDate: null },
    ...{ isActive: false, updatedAt: null },
  },
  solvency: solvency(now),
  rules: noRules,
})

/** Twelve purchases, newest first: one of a single ticket, one of 12,345. */
export const recentAt = (now: number): PublicPurchase[] =>
  Array.from({ length: 12 }, (_, index) => ({
    id: 12 - index,
    ticketNumber: 1 + (11 - index) * 1033,
    ticketCount: index === 3 ? 12_345 : index === 5 ? 1 : 33,
    transactionHash: hashOf(index),
    walletAddress: index % 2 ? wallet : other,
    createdAt: after(now, -7 * (index + 1) ** 4),
    amount: index === 3 ? 3_703_500 : index === 5 ? 300 : 9_900,
  }))

/** Events 12 to 1; event 10 was refunded. */
export const historyAt = (now: number): PublicHistoryItem[] =>
  Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    eventNumber: 12 - index,
    drawDate: after(now, -(index + 1) * 9 * day),
    winnerWallet: index === 2 ? null : wallet,
    winnerTransactionHash: index === 2 ? null : hashOf(index),
    randomNumber: index === 2 ? null : randomNumber,
    winners: [],
    prizes:
      index === 2
        ? []
        : [
            {
              ...{ place: 1, kind: 'goods', units: null, state: 'delivered', walletAddress: wallet },
              at: after(now, -index * 9 * day),
            } as const,
          ],
    names: [{ en: 'Home mining device', ko: '가정용 채굴기' }],
    picture: null,
  }))

export const winnerAt = (now: number): PublicWinner => ({
  ...{ eventNumber: 13, walletAddress: wallet, transactionHash: hashOf(1), ticketNumber: 10_331 },
  ...{ randomNumber, announcedAt: after(now, -60) },
})

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
  now: number,
  beacon: 'sealed' | 'awaited' | 'found',
  ahead: number,
): { config: Partial<PublicState['config']>; drawStatus: Partial<PublicState['drawStatus']> } {
  const areFinal = ahead < 58
  return {
    config: {
      ...{ drawDate: after(now, ahead - 60), saleEndDate: after(now, ahead - day) },
      ...{ entropy: 'blocks+drand', beaconRound: 34_441_032 },
    },
    drawStatus: {
      ...{ beacon, beaconDueAt: after(now, ahead), blockSeed: areFinal ? hashOf(77) : null },
      drawBlocks: areFinal ? blocks : null,
    },
  }
}

/** All standings of such a draw, in their order. */
export const beaconStates = [
  ['named', 'sealed', 3 * day],
  ['settling', 'sealed', 59],
  ['waiting', 'sealed', 43],
  ['late', 'awaited', -40],
  ['found', 'found', -5],
] as const

const unitsOf = (cents: number): string => (BigInt(cents) * 10n ** 16n).toString()

/** What a server tells that holds 41,320 USDT and owes 37,131, eight seconds after its block. */
const solvency = (now: number, change: Partial<PublicSolvency> = {}): PublicSolvency => ({
  ...{ state: 'covered', held: unitsOf(4_132_050), required: unitsOf(3_713_100) },
  block: { number: 124_045_349, timestamp: Math.floor(now / 1000) - 8 },
  ...change,
})

const nothingRead = { state: 'unknown', held: null, required: null, block: null } as const

/** The states of the line beside the minimum; `undefined` before the server has told any. */
export const covers = (now: number) => ({
  loading: undefined,
  covered: solvency(now),
  // One unit less than what is owed: the smallest that can be missing.
  short: solvency(now, { state: 'short', held: `${BigInt(unitsOf(3_713_100)) - 1n}` }),
  unknown: solvency(now, nothingRead),
})

/** Prizes of event 13 on one day. */
export function prizesAt(now: number) {
  const step = (
    name: PublicPrizeStep['step'],
    daysAgo: number,
    walletAddress: PublicPrizeStep['walletAddress'] = wallet,
    transaction?: string,
  ): PublicPrizeStep => ({
    ...{ step: name, at: after(now, -daysAgo * day), walletAddress },
    transactionHash: transaction ? keccak256(toHex(transaction)) : null,
    reason: null,
  })
  const prize = (change: Partial<PublicPrize> = {}): PublicPrize => ({
    ...{ eventNumber: 13, place: 1, kind: 'goods', units: null, state: 'unclaimed' },
    holder: { kind: 'winner', place: 1, walletAddress: wallet },
    ...{ claimBy: after(now, 29 * day), steps: [step('drawn', 1)] },
    ...change,
  })
  const toReserve = [step('drawn', 48), step('turn', 18, other)]
  const claimed = [...toReserve, step('claimed', 12, other, 'claim on the chain')]
  const sent = [...claimed, step('sent', 9, other)]
  const ofReserve = (state: PublicPrize['state'], steps: PublicPrizeStep[], reason?: string) =>
    prize({
      ...{ state, holder: { kind: 'reserve', place: 1, walletAddress: other }, claimBy: null },
      steps: reason ? [...steps, { ...step('corrected', 7, other), reason }] : steps,
    })
  const token = { kind: 'token', units: unitsOf(50_000), claimBy: null } as const
  const states = {
    unclaimed: prize(),
    reserve: { ...ofReserve('unclaimed', toReserve), claimBy: after(now, 12 * day) },
    claimed: ofReserve('claimed', claimed),
    sent: ofReserve('sent', sent),
    corrected: ofReserve('claimed', sent, 'The carrier sent the parcel back.'),
    delivered: ofReserve('delivered', [...sent, step('delivered', 4, other)]),
    lapsed: prize({ holder: null, claimBy: null, steps: toReserve }),
    due: prize({ ...token, state: 'due' }),
    paid: prize({ ...token, state: 'sent', steps: [step('drawn', 3), step('sent', 1, wallet, 'paid')] }),
  }
  /** Three places, each at another point of its way. */
  const several = [states.unclaimed, states.due, states.delivered].map((each, index) => ({
    ...{ ...each, place: index + 1 },
    holder: each.holder?.kind === 'winner' ? { ...each.holder, place: index + 1 } : (each.holder ?? null),
  }))
  return { prize, states, several }
}
