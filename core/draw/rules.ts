import { RaffleError } from '../errors.ts'
import type { RefundCause } from '../refund/rules.ts'

/** The facts of an event that decide whether it can be drawn now. */
export type DrawFacts = {
  /** The draw date has come. */
  isDue: boolean
  isFrozen: boolean
  /** The ledger was refolded, and no administrator has resumed the event yet. */
  isHalted: boolean
  ticketsSold: number
  minTickets: number
  /** Refund mode, or refunds of the whole event have been prepared. */
  isRefunded: boolean
  isDrawn: boolean
  /** Tickets were sold, and the deadline for an outcome has passed. */
  isOverdue: boolean
}

/** The refusal that administrators see; undefined if the event can be drawn. Never winner and refund both. */
export function whyNotDrawn(facts: DrawFacts): RaffleError | undefined {
  if (facts.isDrawn)
    return new RaffleError('ALREADY_DRAWN', 'This event has been drawn: nobody can draw it again.')
  if (facts.isRefunded || facts.isOverdue)
    return new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
  if (!facts.isDue) return new RaffleError('DRAW_NOT_DUE', 'The draw date has not come yet.')
  if (facts.isHalted)
    return new RaffleError('EVENT_LOCKED', '티켓 명단이 다시 만들어졌습니다. 먼저 판매를 재개하세요.')
  if (!facts.isFrozen)
    return new RaffleError('NOT_FINAL', 'The last payments are not final yet. Try again in a moment.')
  if (facts.ticketsSold < facts.minTickets || facts.ticketsSold === 0)
    return new RaffleError(
      'MIN_NOT_REACHED',
      `Only ${facts.ticketsSold} of ${facts.minTickets} tickets were sold.`,
    )
  return undefined
}

/**
 * Why the event goes into refund mode by itself: no outcome by its deadline, or a draw date that came with too few
 * tickets sold. Undefined if it does not.
 */
export function dueRefund(facts: DrawFacts): Extract<RefundCause, 'overdue' | 'minimum'> | undefined {
  if (facts.isDrawn || facts.isRefunded) return undefined
  if (facts.isOverdue) return 'overdue'
  const { isDue, isFrozen, ticketsSold, minTickets } = facts
  return isDue && isFrozen && ticketsSold > 0 && ticketsSold < minTickets ? 'minimum' : undefined
}
