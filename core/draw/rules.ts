import { RaffleError } from '../errors.ts'
import type { RefundCause } from '../refund/rules.ts'

/** The facts of an event that decide whether it can be drawn now. */
export type DrawFacts = {
  /** The draw date has come. */
  isDue: boolean
  isFrozen: boolean
  anchored: AnchorFact
  ticketsSold: number
  minTickets: number
  /** Refund mode, or refunds of the whole event have been prepared. */
  isRefunded: boolean
  isDrawn: boolean
  /** Tickets were sold, and the deadline for an outcome has passed. */
  isOverdue: boolean
  beacon: BeaconFact
}

/**
 * What the anchors before the draw date say of a list. `otherwise`: those that count commit to other terms or another list
 * than this one, so its draw would be contradicted by the chain. `unknown`: so do those on record, but there are blocks
 * whose anchors no endpoint has told. Else nothing stands against the draw, which waits for no anchor.
 */
export type AnchorFact = 'free' | 'otherwise' | 'unknown'

/** Of the round that an event mixes in: `lost` when its signature is not there seven days after its time. */
export type BeaconFact = 'none' | 'pending' | 'found' | 'lost'

/**
 * The refusal that administrators see; undefined if the event can be drawn. Never winner and refund both. A list that was
 * made anew waits for nobody's word: sales do, but whoever could hold up the draw would know its result by then.
 */
export function whyNotDrawn(facts: DrawFacts): RaffleError | undefined {
  if (facts.isDrawn)
    return new RaffleError('ALREADY_DRAWN', 'This event has been drawn: nobody can draw it again.')
  if (facts.isRefunded || facts.isOverdue || facts.beacon === 'lost')
    return new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
  if (!facts.isDue) return new RaffleError('DRAW_NOT_DUE', 'The draw date has not come yet.')
  if (!facts.isFrozen)
    return new RaffleError('NOT_FINAL', 'The last payments are not final yet. Try again in a moment.')
  if (facts.ticketsSold < facts.minTickets || facts.ticketsSold === 0)
    return new RaffleError(
      'MIN_NOT_REACHED',
      `Only ${facts.ticketsSold} of ${facts.minTickets} tickets were sold.`,
    )
  if (facts.anchored === 'otherwise')
    return new RaffleError('REFUND_MODE', 'Another list was anchored, so this one is not drawn from.')
  if (facts.beacon === 'pending')
    return new RaffleError('BEACON_PENDING', 'The round of the beacon that this draw takes is not there yet.')
  // Drawn or refunded: the chain has decided that, and whoever keeps its answer back is not to choose.
  if (facts.anchored === 'unknown')
    return new RaffleError(
      'RPC_UNAVAILABLE',
      '다른 명단이 고정되어 있고, 그 뒤 블록의 앵커를 알려 주는 노드가 없습니다. 읽히는 대로 추첨하거나 전액 환불합니다.',
    )
  return undefined
}

/**
 * Why the event goes into refund mode by itself: no outcome by its deadline, a beacon that never came, or a draw date that
 * came with too few tickets sold, or with another list on the chain than the one to be drawn from. Undefined if it does not.
 */
export function dueRefund(
  facts: DrawFacts,
): Extract<RefundCause, 'overdue' | 'minimum' | 'ledger' | 'beacon_lost'> | undefined {
  if (facts.isDrawn || facts.isRefunded) return undefined
  const { isDue, isFrozen, ticketsSold, minTickets, beacon } = facts
  const lacksBeacon = isFrozen && ticketsSold >= minTickets && beacon !== 'none' && beacon !== 'found'
  if (facts.isOverdue) return lacksBeacon ? 'beacon_lost' : 'overdue'
  if (isDue && isFrozen && ticketsSold > 0) {
    if (ticketsSold < minTickets) return 'minimum'
    if (facts.anchored === 'otherwise') return 'ledger'
  }
  return beacon === 'lost' && ticketsSold > 0 ? 'beacon_lost' : undefined
}

type UndrawnEvent = { ticketsSold: number; frozenAt: Date | null; drawDate: Date | null }

/** Refunds of an event whose list is sound: the rule names a ticket of it all the same. */
const namedCauses: readonly RefundCause[] = ['minimum', 'overdue', 'beacon_lost']

/**
 * Whether people are told who would have won an event that was not drawn: its list stood before the draw block, so nobody
 * could choose it, and the blocks alone decide, or the blocks and a beacon once that is known. `reason` is null while the event has no outcome: the blocks are noted
 * then, as nodes may have dropped them by the deadline, and nothing is told.
 */
export const namesATicket = (event: UndrawnEvent, reason: RefundCause | null): boolean =>
  event.ticketsSold > 0 &&
  event.frozenAt !== null &&
  event.drawDate !== null &&
  event.frozenAt < event.drawDate &&
  (reason === null || namedCauses.includes(reason))
