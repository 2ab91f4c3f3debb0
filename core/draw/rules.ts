import { RaffleError } from '../errors.ts'

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
}

/** The refusal that administrators see; undefined if the event can be drawn. Never winner and refund both. */
export function whyNotDrawn(facts: DrawFacts): RaffleError | undefined {
  if (facts.isDrawn)
    return new RaffleError('ALREADY_DRAWN', 'This event has been drawn: nobody can draw it again.')
  if (facts.isRefunded)
    return new RaffleError('REFUND_MODE', 'This event is being refunded, so it cannot be drawn.')
  if (!facts.isDue) return new RaffleError('DRAW_NOT_DUE', 'The draw date has not come yet.')
  if (facts.isHalted)
    return new RaffleError('EVENT_LOCKED', 'The ticket list was built anew. Resume the event first.')
  if (!facts.isFrozen)
    return new RaffleError('NOT_FINAL', 'The last payments are not final yet. Try again in a moment.')
  if (facts.ticketsSold < facts.minTickets || facts.ticketsSold === 0)
    return new RaffleError(
      'MIN_NOT_REACHED',
      `Only ${facts.ticketsSold} of ${facts.minTickets} tickets were sold.`,
    )
  return undefined
}

/** True when the event goes into refund mode: its draw date has come, tickets were sold, but too few. */
export const mustRefund = (facts: DrawFacts): boolean =>
  facts.isDue &&
  facts.isFrozen &&
  !facts.isDrawn &&
  !facts.isRefunded &&
  facts.ticketsSold > 0 &&
  facts.ticketsSold < facts.minTickets
