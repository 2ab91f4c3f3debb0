import type { Hash, Hex } from 'viem'
import type { EventContent } from '../content/event-content.ts'
import { drawingMs } from '../draw/rules.ts'
import type { PublicPrize } from '../prize/promise.ts'
import type {
  BeaconState,
  PublicConfig,
  PublicDrawnTicket,
  PublicDrawStatus,
  PublicHistoryItem,
  PublicPrizeState,
  PublicRefund,
  PublicState,
  PublicWinner,
} from './public.ts'

/** The committed facts that the public state is made of; times in milliseconds. */
export type PublicFacts = Pick<PublicState, 'recent' | 'eventSettings' | 'solvency' | 'rules'> & {
  /** Version of the facts as stored; the public version also counts the phase. */
  version: number
  /** What is told of the open event in every phase. */
  config: Omit<PublicConfig, 'salesPaused' | 'waitsForNode' | 'isSoon' | 'beaconRound'>
  event: {
    /** Hundredths of a USDT. */
    ticketPriceCents: number
    ticketsSold: number
    /** A block at or after the sale start was seen. */
    hasStarted: boolean
    drawDate: number | null
    saleEnd: number | null
    raffled: Raffled
    refundNotice: boolean
    isHalted: boolean
    winnerCleared: boolean
  }
  nodes: { isWaiting: boolean; pausesSales: boolean }
  draw:
    | (Omit<PublicWinner, 'eventNumber' | 'announcedAt'> & {
        /** When the shown drawing began: the draw itself, or the last draw after a clear. */
        drawnAt: number
        winners: PublicDrawnTicket[]
        prizes: PublicPrize[]
      })
    | null
  /** Of the current event, where it mixes a round in and has a draw date; the expected round until D+32 is final. */
  beacon: { round: number; dueAt: number; isFound: boolean } | null
  /** SHA-256 of the five hashes of the current event, once D is final. */
  blockSeed: Hex | null
  /** D−4 … D of the current event, once D is final and while it waits for its round. */
  drawBlocks: { number: number; hash: Hash }[] | null
  refunds: PublicRefund[]
  /** Archived events, newest first. */
  archived: PublicHistoryItem[]
}

/** In order: an event only moves down this list. `soon` is stored, the rest goes by the clock; `awaited`: the round is due. */
export const phases = ['soon', 'open', 'ended', 'due', 'awaited', 'drawing', 'announced'] as const
export type Phase = (typeof phases)[number]

/** `now` in milliseconds of the database's clock. @internal */
export function phaseAt({ event, draw, beacon }: PublicFacts, now: number): Phase {
  if (draw) return now < draw.drawnAt + drawingMs ? 'drawing' : 'announced'
  if (event.drawDate !== null && now >= event.drawDate)
    return beacon && now >= beacon.dueAt ? 'awaited' : 'due'
  if (event.saleEnd !== null && now >= event.saleEnd) return 'ended'
  return event.hasStarted ? 'open' : 'soon'
}

/** When the phase changes next without a write to the database; null if it does not. */
export function nextPhaseAt(facts: PublicFacts, now: number): number | null {
  const { event, draw, beacon } = facts
  const moments = draw ? [draw.drawnAt + drawingMs] : [event.saleEnd, event.drawDate, beacon?.dueAt ?? null]
  return moments.find((moment) => moment !== null && moment > now) ?? null
}

/** No part holds the winner before the drawing ends. Versions of two processes agree: stored version x 16 + phase. */
export function publicState(facts: PublicFacts, now: number, salesPaused: boolean): PublicState {
  const { config, event, nodes, draw } = facts
  const phase = phaseAt(facts, now)
  const isDue = phase === 'due' || phase === 'awaited'
  const beacon = beaconState(facts, phase)
  const isWinnerHidden = phase === 'announced' && event.winnerCleared
  const winner =
    phase === 'announced' && draw && !event.winnerCleared ? announced(config.eventNumber, draw) : null
  const winners = winner ? (draw?.winners ?? []) : []
  const prizes = winner ? (draw?.prizes ?? []) : []
  return {
    version: facts.version * 16 + phases.indexOf(phase),
    config: {
      ...config,
      salesPaused: salesPaused || event.isHalted || nodes.pausesSales,
      waitsForNode: nodes.isWaiting,
      isSoon: phase === 'soon',
      beaconRound: facts.beacon?.round ?? null,
    },
    stats: { ticketsSold: event.ticketsSold, ticketPrice: event.ticketPriceCents / 100 },
    recent: facts.recent,
    winner,
    winners,
    prizes,
    drawStatus: {
      isDrawing: phase === 'drawing',
      isRefundMode: config.isRefundMode,
      canDraw: ((isDue && (beacon === null || beacon === 'found')) || isWinnerHidden) && !config.isRefundMode,
      isWinnerHidden,
      refundNotice: event.refundNotice,
      refundReason: config.refundReason,
      beacon,
      beaconDueAt: facts.beacon && new Date(facts.beacon.dueAt).toISOString(),
      // Where no beacon follows, it is the seed itself, and tells the winner.
      drawBlocks: isDue ? facts.drawBlocks : null,
      blockSeed: config.entropy === 'blocks' && phase !== 'announced' ? null : facts.blockSeed,
      refunds: facts.refunds,
    } satisfies PublicDrawStatus,
    history: winner ? [historyItem(facts, winner, { winners, prizes }), ...facts.archived] : facts.archived,
    eventSettings: facts.eventSettings,
    solvency: facts.solvency,
    rules: facts.rules,
  }
}

function beaconState({ beacon }: PublicFacts, phase: Phase): BeaconState | null {
  if (!beacon) return null
  if (beacon.isFound) return 'found'
  return phase === 'awaited' ? 'awaited' : 'sealed'
}

const announced = (eventNumber: number, draw: NonNullable<PublicFacts['draw']>): PublicWinner => ({
  eventNumber,
  walletAddress: draw.walletAddress,
  transactionHash: draw.transactionHash,
  ticketNumber: draw.ticketNumber,
  randomNumber: draw.randomNumber,
  announcedAt: new Date(draw.drawnAt + drawingMs).toISOString(),
})

export const prizeState = ({ place, kind, units, state, holder, steps }: PublicPrize): PublicPrizeState => ({
  ...{ place, kind, units, state, at: steps.at(-1)?.at ?? null },
  walletAddress: holder?.walletAddress ?? null,
})

type Raffled = Pick<PublicHistoryItem, 'names' | 'picture'>

export const raffledIn = (content: EventContent | null | undefined): Raffled => ({
  names: content?.prizes.flatMap(({ name, copies }) => Array.from({ length: copies }, () => name)) ?? [],
  picture: content?.prizes[0]?.pictures[0]?.key ?? null,
})

const historyItem = (
  { config, event }: PublicFacts,
  winner: PublicWinner,
  { winners, prizes }: { winners: readonly PublicDrawnTicket[]; prizes: readonly PublicPrize[] },
): PublicHistoryItem => ({
  id: config.eventNumber,
  eventNumber: config.eventNumber,
  drawDate: config.drawDate,
  winnerWallet: winner.walletAddress,
  winnerTransactionHash: winner.transactionHash,
  randomNumber: winner.randomNumber,
  winners: config.winners > 1 ? winners.filter(({ kind }) => kind === 'winner') : [],
  prizes: prizes.map(prizeState),
  ...event.raffled,
})
