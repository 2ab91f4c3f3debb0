import type { Address, Hash, Hex } from 'viem'
import type { ErrorCode } from './errors.ts'
import type { Entropy } from './event.ts'
import type { PaymentReason, PaymentStatus } from './payment.ts'
import type { RefundCause, RefundState } from './refund/rules.ts'

/** The answers of the public calls. Dates are ISO texts with Z, `amount` is hundredths of a USDT. */
export type PublicConfig = {
  eventNumber: number
  drawDate: string | null
  saleEndDate: string | null
  saleStart: string
  isRefundMode: boolean
  googleFormUrl: string | null
  operatorWallet: Address | null
  minTicketsForDraw: number
  chainId: number
  tokenAddress: Address
  saleLeadSeconds: number
  /** The site's buy button is off; money on chain is still credited. */
  salesPaused: boolean
  /** Fewer than two nodes answer: payments are confirmed once they do. */
  waitsForNode: boolean
  /** The chain's time has not come to the sale start yet: what is paid now gets no ticket. */
  isSoon: boolean
  /** Why the event is being refunded; null outside refund mode. */
  refundReason: RefundCause | null
  /** What the event promises, as one line, and its SHA-256. */
  terms: string
  termsSha256: Hex
  entropy: Entropy
  /** The round of the beacon that the draw takes; null where it takes none. */
  beaconRound: number | null
  winners: number
  /** Without an outcome by then the event is refunded; null while no date is set. */
  drawBy: string | null
  /** The draw date that was announced first: it moves 30 days behind it at most. */
  firstDrawDate: string | null
}

export type PublicStats = { ticketsSold: number; ticketPrice: number }

export type PublicPurchase = {
  id: number
  ticketNumber: number
  ticketCount: number
  transactionHash: Hash
  walletAddress: Address
  /** Time of the payment's block. */
  createdAt: string
  amount: number
}

export type PublicWinner = {
  eventNumber: number
  walletAddress: Address
  transactionHash: Hash
  ticketNumber: number
  randomNumber: string
  announcedAt: string
}

export type PublicDrawStatus = {
  isDrawing: boolean
  isRefundMode: boolean
  canDraw: boolean
  refundNotice: boolean
  refundReason: RefundCause | null
}

export type PublicHistoryItem = {
  id: number
  eventNumber: number
  drawDate: string | null
  winnerWallet: Address | null
  winnerTransactionHash: Hash | null
  randomNumber: string | null
}

export type PublicEventSettings = {
  prizeImageUrl: string | null
  prizeValue: string | null
  prizeDescription: string | null
  eventStartDate: string | null
  isActive: boolean
  updatedAt: string | null
}

/** One entry of `GET /api/raffle/changes`. */
export type PublicChange = {
  eventNumber: number
  at: string
  field: string
  from: string | null
  to: string | null
}

/** Everything a visitor's page shows, at one version. */
export type PublicState = {
  version: number
  config: PublicConfig
  stats: PublicStats
  recent: PublicPurchase[]
  winner: PublicWinner | null
  drawStatus: PublicDrawStatus
  history: PublicHistoryItem[]
  eventSettings: PublicEventSettings
}

/** First event of `GET /api/live`. `now` is the server's clock in milliseconds. */
export type LiveSnapshot = PublicState & { now: number }
/** Later events: the version and the parts that changed; `recentAdded` goes before the purchases known so far. */
export type LiveChange = { version: number; now: number; recentAdded?: PublicPurchase[] } & Partial<
  Omit<PublicState, 'version'>
>
/** Heartbeat: sent every 5 s and when `stale` changes. `stale` while the database does not answer. */
export type LiveBeat = { version: number; now: number; stale: boolean }

/** The refund that covers a payment; `amount` is all that its payer gets at once. Null if there is none. */
export type PaymentRefund = { state: RefundState; amount: number; transactionHash: Hash | null } | null

/** Answer of `GET /api/tickets/purchase/{hash}`. */
export type PurchaseReport = {
  transactionHash: Hash
  status: PaymentStatus
  reason: PaymentReason | null
  payments: {
    walletAddress: Address
    status: PaymentStatus
    reason: PaymentReason | null
    ticketNumber: number | null
    ticketCount: number
    amount: number
    refund: PaymentRefund
  }[]
}

/** Answer of `GET /api/tickets/wallet/{address}`: the current event, newest first. */
export type WalletReport = {
  walletAddress: Address
  ticketCount: number
  payments: {
    transactionHash: Hash
    status: PaymentStatus
    reason: PaymentReason | null
    ticketNumber: number | null
    ticketCount: number
    amount: number
    createdAt: string
    refund: PaymentRefund
  }[]
}

/** Answer of `POST /api/tickets/purchase`: 202 the first time, 200 for a repeat. */
export type PurchaseReceipt = { transactionHash: Hash; status: PaymentStatus }

/** Every refusal. `error` is the sentence for people, `field` the value of the call that is meant. */
export type ErrorBody = {
  code: ErrorCode | 'INTERNAL'
  error: string
  message: string
  requestId: string
  field?: string
}
