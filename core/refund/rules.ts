import type { Address, Hash, Hex } from 'viem'
import { RaffleError } from '../errors.ts'

/** `event`: all money of an event in refund mode, once. `leftover`: payments without tickets, any time. */
export type RefundKind = 'event' | 'leftover'

/**
 * Why an event gives its money back: too few tickets, no outcome by its deadline, a beacon that never came, a sale that
 * the operator stopped, or a ticket list that is not the one that was fixed before the draw date.
 */
export const refundCauses = ['minimum', 'overdue', 'beacon_lost', 'stopped', 'ledger'] as const
export type RefundCause = (typeof refundCauses)[number]

/** Only final facts of the chain settle a row; `failed` means that nothing of it can be mined any more. */
export type RefundState = 'planned' | 'offered' | 'sent' | 'settled' | 'failed'

/**
 * Why a row waits for an administrator before it is offered; `early`: it may not have been meant for the raffle; `lost`: it came
 * to a wallet whose key was said to be lost or stolen before, so that its thief may have sent it to himself.
 */
export const refundHolds = ['contract', 'exchange', 'dust', 'early', 'lost'] as const
export type RefundHold = (typeof refundHolds)[number]

/**
 * `covered`: other transfers to the payer make up for it. `replaced`: its nonce went to something else. `ahead`: the
 * register remembers more than these books. `elsewhere`: the register has paid it to an address that its payer never named.
 */
export type RefundReason = 'covered' | 'replaced' | 'ahead' | 'elsewhere'

/** How a payer's wish for another address was found to be the payer's own. */
export type SignatureProof = 'personal' | 'typed' | 'contract'

/** A row as the calls answer it: `amount` in hundredths, `units` 10^-18 USDT as a decimal text. */
export type RefundRow = {
  id: number
  to: Address
  amount: number
  units: string
  state: RefundState
  /** Why it is held or has failed; `unchecked` until the chain was asked about the payer, `unread` until its blocks were read twice. */
  reason: RefundHold | RefundReason | 'unchecked' | 'unread' | null
  transactionHash: Hash | null
}

export type RefundTotals = { totalRefunds: number; totalAmount: number; totalUnits: string }

/** True for a row that may be handed to the wallet now. */
export const isOfferable = ({ state, reason }: Pick<RefundRow, 'state' | 'reason'>): boolean =>
  (state === 'planned' || state === 'failed') &&
  (reason === null || reason === 'replaced' || reason === 'elsewhere')

/** EIP-7702: an account of a person that runs a contract's code by delegation. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

/** True for code that may not pass a refund on to its payer; an account with a delegation can. */
export const isContractCode = (code: Hex | undefined): boolean =>
  code !== undefined && code !== '0x' && !delegation.test(code)

type RefundDecision = {
  isRefundMode: boolean
  isDrawn: boolean
  isFrozen: boolean
  /** The draw date has come. */
  isDue: boolean
  ticketsSold: number
  minTickets: number
}

/** Why the money of an event may not be given back, or undefined when it may. */
export function whyNotRefunded(event: RefundDecision): RaffleError | undefined {
  if (event.isDrawn) return new RaffleError('WINNER_EXISTS', '당첨자가 있는 이벤트는 환불할 수 없습니다.')
  if (event.isRefundMode && event.isFrozen) return undefined
  if (event.isFrozen && event.ticketsSold === 0)
    return new RaffleError('NOTHING_TO_REFUND', '티켓이 판매되지 않은 이벤트라 환불할 금액이 없습니다.')
  if (!event.isRefundMode && event.ticketsSold >= event.minTickets)
    return new RaffleError('MIN_REACHED', '최소 판매 수량에 도달한 이벤트는 환불할 수 없습니다.')
  if (event.isRefundMode || (event.isFrozen && event.isDue))
    return new RaffleError('NOT_FINAL', '티켓 목록이 아직 확정되지 않았습니다. 잠시 후 다시 시도하세요.', {
      reason: { isRefundMode: event.isRefundMode, isFrozen: event.isFrozen, isDue: event.isDue },
    })
  return new RaffleError('SALES_OPEN', '환불은 추첨 시각이 지난 뒤에 시작할 수 있습니다.')
}
