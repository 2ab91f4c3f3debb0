import type { Address, Hash, Hex } from 'viem'
import type { Entropy } from '../event/event.ts'
import type { PublicPrize } from '../prize/public.ts'
import type { RefundCause } from '../refund/rules.ts'
import type { EventContent } from './event-content.ts'

/** Where an event stands, as its page and its share picture tell it. */
export type EventState =
  | 'soon'
  | 'on-sale'
  | 'sale-over'
  | 'drawn'
  | 'refunding'
  | 'refunded'
  | 'archived-undrawn'

/**
 * The answer of `GET /api/raffle/event/{n}`: all that the page of an event says, whether it runs or is archived. Dates are
 * ISO texts with Z, prices and amounts hundredths of a USDT.
 */
export type EventPage = {
  eventNumber: number
  state: EventState
  isArchived: boolean
  /** Null for an event from before contents were kept: the page then shows terms and result alone. */
  content: EventContent | null
  contentSha256: Hex | null
  /** The terms line, frozen or as it stands. */
  terms: string
  termsSha256: Hex
  ticketPrice: number
  ticketsSold: number
  minTickets: number
  saleStart: string
  saleEnd: string | null
  drawDate: string | null
  entropy: Entropy
  operatorWallet: Address | null
  chainId: number
  tokenAddress: Address
  refundReason: RefundCause | null
  /** Null before the reveal, and while an administrator hides the winner. */
  result: {
    winners: readonly {
      place: number
      walletAddress: Address
      transactionHash: Hash
      /** The drawn ticket. */
      ticketNumber: number
      /** Of the payment that bought it. */
      ticketCount: number
    }[]
    randomNumber: string
    drawnAt: string
    ledgerSha256: Hex
    commitment: Hex | null
  } | null
  /** Once the list is frozen: `raffle/ledger/{n}` answers. */
  hasLedger: boolean
  prizes: readonly PublicPrize[]
  changes: readonly { at: string; field: string; from: string | null; to: string | null }[]
}
