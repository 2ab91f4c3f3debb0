import type { Address, Hash } from 'viem'
import type { PaymentReason } from '../payment/payment.ts'

/**
 * What money that moved was for. In: `credited` bought tickets, `leftover` is owed back to its payer, `own` came from
 * another wallet of the operator, `other` is nobody's claim. Out: as in core/refund/classes.
 */
export const flowClasses = ['credited', 'leftover', 'refund', 'prize', 'own', 'other'] as const
export type FlowClass = (typeof flowClasses)[number]

/**
 * A final transfer to or from a wallet of the operator, or all of one payer to one wallet in one transaction. A transfer
 * between two of them is two flows. Addresses and hashes are lower case.
 */
export type Flow = {
  blockNumber: bigint
  blockHash: Hash
  /** Seconds. */
  blockTime: number
  transactionHash: Hash
  /** Null for what was sent before places were noted. */
  transactionIndex: number | null
  /** Of the first log. */
  logIndex: number | null
  direction: 'in' | 'out'
  /** The operator's. */
  wallet: Address
  counterparty: Address
  units: bigint
  class: FlowClass
  /** Of a payment: its event; of a token prize: the event whose it is. */
  eventNumber: number | null
  /** Why a payment has no ticket. */
  reason: PaymentReason | null
  /** Of `credited` and `leftover`: the wallet that owes it, if it comes to that; another one than was paid where it was handed over. */
  owedBy: Address | null
  /** Of a refund: whose debts it settles. */
  debtor: Address | null
  /** It was sent by the register, which pays what its own wallet owes, whenever that came in. */
  isRegister: boolean
  /** Of a token prize: whose, 1..`winners`. */
  prizePlace?: number
  /** An administrator has said that it was no refund. */
  isMarked?: boolean
}

/**
 * Whose debts a transfer out settles. One that fits no row of a batch is of class `other`, and pays back all the same what
 * its receiver was owed, as the books will count it.
 */
export function debtorOf({
  direction,
  class: kind,
  debtor,
  counterparty,
  isRegister,
  isMarked,
}: Flow): Address | null {
  if (direction === 'in' || isMarked) return null
  return kind === 'other' && !isRegister ? counterparty : debtor
}

/** What a wallet held at the end of a final block. Flows of the wallet up to it are part of `units`. */
export type Opening = { wallet: Address; blockNumber: bigint; blockHash: Hash; units: bigint }

/** Why an opening is not known. */
export const openingGaps = ['state_gone', 'silent', 'differ'] as const
export type OpeningGap = (typeof openingGaps)[number]

/** Order of the chain. What has no place in its block comes last in it, own transactions together. */
export const byChain = (a: Flow, b: Flow): number =>
  Number(a.blockNumber - b.blockNumber) ||
  placed(a.transactionIndex) - placed(b.transactionIndex) ||
  (a.transactionHash === b.transactionHash ? 0 : a.transactionHash < b.transactionHash ? -1 : 1) ||
  placed(a.logIndex) - placed(b.logIndex) ||
  Number(a.direction === 'in') - Number(b.direction === 'in')

const placed = (index: number | null): number => index ?? Number.MAX_SAFE_INTEGER
