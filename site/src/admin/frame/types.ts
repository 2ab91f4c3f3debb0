/** What the administrator's calls answer. Dates are ISO texts with Z, amounts hundredths of a USDT. */
export type AdminConfig = {
  eventNumber: number
  drawDate: string | null
  saleEndDate: string | null
  googleFormUrl: string | null
  operatorWallet: string | null
  minTicketsForDraw: number
  isRefundMode: boolean
  isHalted: boolean
  refundNotice: boolean
  ticketsSold: number
  saleLeadSeconds: number
  frozenAt: string | null
  ledgerSha256: string | null
  walletProvenAt: string | null
  walletProofMessage: string
  walletLocked: boolean
  /** The environment names the wallet. */
  walletPinned: boolean
  /** Time of the first payment of this event. */
  firstPaymentAt: string | null
  /** A new draw date archives this event and opens the next one. */
  isOver: boolean
  version: number
}

export type Pipeline = {
  scan: { height: number; blockTime: string; lagSeconds: number; updatedSecondsAgo: number } | null
  claims: { received: number; confirming: number; oldestSeconds: number | null }
  withoutTicket: Record<string, number>
  /** Rows of the refund desk that are not done, or addresses that wait for their first batch. */
  openRefunds: number
  worker: { facts: unknown; secondsAgo: number } | null
  queue: Record<string, Record<string, number> | null | undefined> | null
}

export type ChainHealth = {
  finalHeight: string | null
  isStalled: boolean
  endpoints: {
    host: string
    state: 'unused' | 'ok' | 'failing' | 'resting'
    failures: number
    lastFailure: string | null
    logs: 'unknown' | 'ranges' | 'receipts' | 'none'
    rangeBlocks: number
  }[]
}

export type PaymentItem = {
  id: number
  eventNumber: number | null
  transactionHash: string
  walletAddress: string
  status: 'credited' | 'rejected'
  reason: string | null
  ticketNumber: number | null
  ticketCount: number
  amount: number
  blockNumber: number
  createdAt: string
}

export type DrawRecord = {
  id: number
  eventNumber: number
  drawDate: string | null
  isActive: boolean
  isRefundMode: boolean
  winnerCleared: boolean
  ticketsSold: number
  minTicketsForDraw: number
  ticketPrice: number
  ledgerSha256: string | null
  winnerId: number | null
  winnerWallet: string | null
  winnerTransactionHash: string | null
  winningTicket: number | null
  randomNumber: string | null
  drawnAt: string | null
}

export type RefundBatch = {
  id: number
  kind: 'event' | 'leftover'
  eventNumber: number | null
  createdAt: string
  rows: number
  settled: number
  totalAmount: number
  settledAmount: number
}

export type SecurityState = {
  requireOtp: boolean
  allowedIps: string[]
  otpConfirmed: boolean
  recoveryCodesLeft: number
  ip: string
  /** Of `requireOtp` and `allowedIps` together. */
  version: string
}

export type SessionItem = {
  id: string
  username: string
  clientAddress: string
  createdAt: string
  lastSeenAt: string
  isCurrent: boolean
}

export type AuditItem = {
  id: number
  at: string
  actor: string
  action: string
  clientAddress: string
  outcome: string
  before: unknown
  after: unknown
}
