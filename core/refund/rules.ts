import type { Hex } from 'viem'
import { RaffleError } from '../errors.ts'

/** Too few tickets, no draw date in time, no beacon, a stopped sale, or a frozen list of which the chain lost a payment. */
export const refundCauses = ['minimum', 'overdue', 'beacon_lost', 'stopped', 'ledger'] as const
export type RefundCause = (typeof refundCauses)[number]

/**
 * `manual`: an administrator holds it. `contract`, `exchange`: it may not reach the person. `stolen`: paid to a wallet after
 * its key was. `dust`: below `REFUND_MIN_USDT`. `unchecked`: his code was not read. `transfer`: something was sent by hand,
 * nobody has said for what.
 */
export const refundHolds = [
  'manual',
  'contract',
  'exchange',
  'stolen',
  'dust',
  'unchecked',
  'transfer',
] as const
export type RefundHold = (typeof refundHolds)[number]
/** Holds that a release lifts; the other two end by what they wait for. */
export const releasable: readonly RefundHold[] = ['manual', 'contract', 'exchange', 'stolen', 'dust']

export const transferMarks = ['refund', 'prize', 'none'] as const
export type TransferMark = (typeof transferMarks)[number]

/** Of a payer's line: `sent` while a reported transaction is on its way, `surplus` where he received more than he is owed. */
export const refundStates = ['due', 'sent', 'held', 'settled', 'surplus'] as const
export type RefundState = (typeof refundStates)[number]

/** EIP-7702: an account of a person that runs a contract's code by delegation. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

/** True for code that may not pass a refund on to its payer; an account with a delegation can. */
export const isContractCode = (code: Hex | undefined): boolean =>
  code !== undefined && code !== '0x' && !delegation.test(code)

type RefundDecision = {
  isRefundMode: boolean
  isDrawn: boolean
  isFrozen: boolean
  isDue: boolean
  ticketsSold: number
  minTickets: number
}

/** Why the money of an event may not be given back, or undefined when it may. */
export function whyNotRefunded(event: RefundDecision): RaffleError | undefined {
  if (event.isDrawn) return new RaffleError('WINNER_EXISTS')
  if (event.isRefundMode && event.isFrozen) return undefined
  if (event.isFrozen && event.ticketsSold === 0) return new RaffleError('NOTHING_TO_REFUND')
  if (!event.isRefundMode && event.ticketsSold >= event.minTickets) return new RaffleError('MIN_REACHED')
  if (event.isRefundMode || (event.isFrozen && event.isDue))
    return new RaffleError('NOT_FINAL', {
      reason: 'payments',
      data: { reason: { isRefundMode: event.isRefundMode, isFrozen: event.isFrozen, isDue: event.isDue } },
    })
  return new RaffleError('SALES_OPEN', { reason: 'refunds' })
}
