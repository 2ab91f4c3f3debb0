import { RaffleError } from '../errors.ts'
import type { RefundCause } from '../refund/rules.ts'

export type DrawFacts = {
  isDue: boolean
  isFrozen: boolean
  ticketsSold: number
  minTickets: number
  /** How it has ended: no event ends twice. */
  isRefunded: boolean
  isDrawn: boolean
  /** Tickets were sold, and no draw date was set in the time that it had for that. */
  isOverdue: boolean
  /** The chain has lost a line of the frozen list, which was known before the draw date. */
  isListLost: boolean
  beacon: BeaconFact
}

/** However late, it is waited for: `lost` only where a round of seven days later is known, and it is not. */
export type BeaconFact = 'none' | 'pending' | 'found' | 'lost'

/** The refusal that administrators see; undefined if the event can be drawn. Never winner and refund both. */
export function whyNotDrawn(facts: DrawFacts): RaffleError | undefined {
  if (facts.isDrawn) return new RaffleError('ALREADY_DRAWN')
  if (facts.isRefunded || facts.isOverdue || facts.isListLost || facts.beacon === 'lost')
    return new RaffleError('REFUND_MODE')
  if (!facts.isDue) return new RaffleError('DRAW_NOT_DUE')
  if (!facts.isFrozen) return new RaffleError('NOT_FINAL', { reason: 'payments' })
  if (facts.ticketsSold < facts.minTickets || facts.ticketsSold === 0)
    return new RaffleError('MIN_NOT_REACHED', {
      values: { sold: facts.ticketsSold, least: facts.minTickets },
    })
  if (facts.beacon === 'pending') return new RaffleError('BEACON_PENDING', { reason: 'round' })
  return undefined
}

/** Why refund mode begins by itself. No clock does it to an event with a draw date: nobody sees its winner and chooses. */
export function dueRefund(facts: DrawFacts): Exclude<RefundCause, 'stopped'> | undefined {
  if (facts.isDrawn || facts.isRefunded) return undefined
  if (facts.isOverdue) return 'overdue'
  if (facts.isListLost) return 'ledger'
  if (!facts.isDue || !facts.isFrozen || facts.ticketsSold === 0) return undefined
  if (facts.ticketsSold < facts.minTickets) return 'minimum'
  return facts.beacon === 'lost' ? 'beacon_lost' : undefined
}

/** How long the overlay runs before it shows the result: 10 seconds (docs/spec.md). */
export const drawingMs = 10_000
