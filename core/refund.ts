import type { Address, Hash } from 'viem'

/** `event`: all money of an event in refund mode, once. `leftover`: payments without tickets, any time. */
export type RefundKind = 'event' | 'leftover'

/** Only final facts of the chain settle a row; `failed` means that nothing of it can be mined any more. */
export type RefundState = 'planned' | 'offered' | 'sent' | 'settled' | 'failed'

/** Why a row waits for an administrator before it is offered. */
export type RefundHold = 'contract' | 'exchange' | 'dust'

/** `covered`: other transfers to the payer make up for it. `replaced`: its nonce went to something else. */
export type RefundReason = 'covered' | 'replaced'

/** How a payer's wish for another address was found to be the payer's own. */
export type SignatureProof = 'personal' | 'typed' | 'contract'

/** A row as the calls answer it: `amount` in hundredths, `units` 10^-18 USDT as a decimal text. */
export type RefundRow = {
  id: number
  to: Address
  amount: number
  units: string
  state: RefundState
  /** Why it is held or has failed; `unchecked` until the chain was asked about the payer. */
  reason: RefundHold | RefundReason | 'unchecked' | null
  transactionHash: Hash | null
}

export type RefundTotals = { totalRefunds: number; totalAmount: number; totalUnits: string }
