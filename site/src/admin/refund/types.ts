import type { Address, Hash } from 'viem'
import type { RefundKind, RefundRow, RefundTotals } from '../../../../core/refund/rules.ts'

/** Answers of the refund desk's calls. Amounts are hundredths of a USDT, `units` strings of 10^-18 USDT. */
export type DeskRow = RefundRow & {
  kind: RefundKind
  payer: Address
  /** What is still to be sent. */
  dueUnits: string
  revision: number
  offeredAt: string | null
  /** The wallet's final nonce must be higher before the row may be offered again. */
  nonceBound: number | null
}

export type RefundFacts = RefundTotals & { totalTickets: number }

export type OperatorTransfer = {
  transactionHash: Hash
  position: number
  to: Address
  amount: number
  units: string
  at: string
  notRefund: boolean
}

export type DeskSummary = RefundTotals & {
  eventNumber: number
  isRefundMode: boolean
  isPaused: boolean
  /** A worker watches the whole final chain; otherwise nothing is sent. */
  isWatching: boolean
  event: RefundFacts
  leftover: RefundFacts
  done: RefundTotals
  underWay: RefundTotals
  held: RefundTotals
  operatorWallet: Address | null
  wallets: Address[]
  token: Address
  chainId: number
  disperseAddress: Address | null
  unallocated: OperatorTransfer[]
}

export type DeskAnswer = { summary: DeskSummary; rows: DeskRow[] }

export type RowFacts = {
  id: number
  payer: Address
  hold: string | null
  releasedAt: string | null
  settledAt: string | null
  offered: { at: string; wallet: Address | null; nonce: number | null; nonceBound: number | null } | null
  payments: {
    transactionHash: Hash
    amount: number
    ticketCount: number
    reason: string | null
    blockNumber: number
    at: string
  }[]
  transfers: {
    transactionHash: Hash
    wallet: Address
    to: Address
    amount: number
    blockNumber: number
    at: string
  }[]
}

export type DeskScope = { kind: RefundKind; eventNumber: number }
