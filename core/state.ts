import type { Address, Hash, Hex } from 'viem'
import { drawByOf, type Entropy } from './event.ts'
import type {
  PublicConfig,
  PublicDrawStatus,
  PublicEventSettings,
  PublicHistoryItem,
  PublicPurchase,
  PublicState,
  PublicWinner,
} from './public.ts'
import type { RefundCause } from './refund/rules.ts'

/** How long the overlay runs before it shows the result: 10 seconds (docs/spec.md). */
export const drawingMs = 10_000

/** The committed facts that the public state is made of; times in milliseconds. */
export type PublicFacts = {
  /** Version of the facts as stored; the public version also counts the phase. */
  version: number
  event: {
    number: number
    operatorWallet: Address | null
    chainId: number
    token: Address
    /** Hundredths of a USDT. */
    ticketPriceCents: number
    saleLeadSeconds: number
    minTickets: number
    saleStart: number
    /** A block at or after the sale start was seen. */
    hasStarted: boolean
    drawDate: number | null
    saleEnd: number | null
    googleFormUrl: string | null
    ticketsSold: number
    isRefundMode: boolean
    refundReason: RefundCause | null
    terms: string
    termsSha256: Hex
    entropy: Entropy
    winners: number
    firstDrawDate: number | null
    refundNotice: boolean
    isHalted: boolean
    winnerCleared: boolean
  }
  nodes: {
    /** Payments wait for a second node. */
    isWaiting: boolean
    /** They have waited for so long that sales are paused. */
    pausesSales: boolean
  }
  draw: {
    /** When the shown drawing began: the draw itself, or the last draw after a clear. */
    drawnAt: number
    walletAddress: Address
    transactionHash: Hash
    ticketNumber: number
    randomNumber: string
  } | null
  recent: PublicPurchase[]
  /** Archived events, newest first. */
  archived: PublicHistoryItem[]
  eventSettings: PublicEventSettings
}

/** Phases in order: an event only moves down this list, by the clock alone, but for the first step, which is stored. */
export const phases = ['soon', 'open', 'ended', 'due', 'drawing', 'announced'] as const
export type Phase = (typeof phases)[number]

/**
 * Phase at `now` (milliseconds of the database's clock).
 * @internal
 */
export function phaseAt({ event, draw }: PublicFacts, now: number): Phase {
  if (draw) return now < draw.drawnAt + drawingMs ? 'drawing' : 'announced'
  if (event.drawDate !== null && now >= event.drawDate) return 'due'
  if (event.saleEnd !== null && now >= event.saleEnd) return 'ended'
  return event.hasStarted ? 'open' : 'soon'
}

/** When the phase changes next without a write to the database; null if it does not. */
export function nextPhaseAt(facts: PublicFacts, now: number): number | null {
  const { event, draw } = facts
  const moments = draw ? [draw.drawnAt + drawingMs] : [event.saleEnd, event.drawDate]
  return moments.find((moment) => moment !== null && moment > now) ?? null
}

/**
 * What a visitor may see at `now`. The winner appears in the version in which the drawing ends; no part of
 * the state holds it before. Versions of two processes agree: stored version x 16 + phase.
 */
export function publicState(facts: PublicFacts, now: number, salesPaused: boolean): PublicState {
  const { event, nodes, draw } = facts
  const phase = phaseAt(facts, now)
  const winner = phase === 'announced' && draw && !event.winnerCleared ? announced(event.number, draw) : null
  return {
    version: facts.version * 16 + phases.indexOf(phase),
    config: config(facts, phase, salesPaused || event.isHalted || nodes.pausesSales),
    stats: { ticketsSold: event.ticketsSold, ticketPrice: event.ticketPriceCents / 100 },
    recent: facts.recent,
    winner,
    drawStatus: {
      isDrawing: phase === 'drawing',
      isRefundMode: event.isRefundMode,
      canDraw: (phase === 'due' || (phase === 'announced' && event.winnerCleared)) && !event.isRefundMode,
      refundNotice: event.refundNotice,
      refundReason: event.refundReason,
    } satisfies PublicDrawStatus,
    history: winner ? [historyItem(event, winner), ...facts.archived] : facts.archived,
    eventSettings: facts.eventSettings,
  }
}

const iso = (moment: number | null): string | null =>
  moment === null ? null : new Date(moment).toISOString()

const config = ({ event, nodes }: PublicFacts, phase: Phase, salesPaused: boolean): PublicConfig => ({
  eventNumber: event.number,
  drawDate: iso(event.drawDate),
  saleEndDate: iso(event.saleEnd),
  saleStart: new Date(event.saleStart).toISOString(),
  isRefundMode: event.isRefundMode,
  googleFormUrl: event.googleFormUrl,
  operatorWallet: event.operatorWallet,
  minTicketsForDraw: event.minTickets,
  chainId: event.chainId,
  tokenAddress: event.token,
  saleLeadSeconds: event.saleLeadSeconds,
  salesPaused,
  waitsForNode: nodes.isWaiting,
  isSoon: phase === 'soon',
  refundReason: event.refundReason,
  terms: event.terms,
  termsSha256: event.termsSha256,
  entropy: event.entropy,
  beaconRound: null,
  winners: event.winners,
  drawBy: event.drawDate === null ? null : drawByOf(new Date(event.drawDate), event.entropy).toISOString(),
  firstDrawDate: iso(event.firstDrawDate),
})

const announced = (eventNumber: number, draw: NonNullable<PublicFacts['draw']>): PublicWinner => ({
  eventNumber,
  walletAddress: draw.walletAddress,
  transactionHash: draw.transactionHash,
  ticketNumber: draw.ticketNumber,
  randomNumber: draw.randomNumber,
  announcedAt: new Date(draw.drawnAt + drawingMs).toISOString(),
})

const historyItem = (event: PublicFacts['event'], winner: PublicWinner): PublicHistoryItem => ({
  id: event.number,
  eventNumber: event.number,
  drawDate: iso(event.drawDate),
  winnerWallet: winner.walletAddress,
  winnerTransactionHash: winner.transactionHash,
  randomNumber: winner.randomNumber,
})
