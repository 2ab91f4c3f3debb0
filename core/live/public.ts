import type { Address, Hash, Hex } from 'viem'
import type { Both } from '../content/event-content.ts'
import type { ErrorCode, ErrorValues } from '../errors.ts'
import type { Entropy } from '../event/event.ts'
import type { PublicBranding } from '../house/branding.ts'
import type { PublicRules } from '../house/rules.ts'
import type { PaymentReason, PaymentStatus } from '../payment/payment.ts'
import type { PrizePromise, PublicPrize } from '../prize/promise.ts'
import type { RefundCause } from '../refund/rules.ts'

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
  refundReason: RefundCause | null
  /** What the event promises, as one line, and its SHA-256. */
  terms: string
  termsSha256: Hex
  /** Of this raffle in the register; null before there is a wallet. */
  book: Hex | null
  /** Operator wallets of earlier events, in lower case and in order: they buy no tickets. The terms carry the list's hash. */
  formerWallets: Address[]
  entropy: Entropy
  /** The round of the beacon that the draw takes, expected until D+32 is final; null where it takes none, or no date is set. */
  beaconRound: number | null
  winners: number
  prizes: PrizePromise[]
  /** By then it is drawn by itself, or fails its minimum; null while no date is set. */
  drawBy: string | null
  branding: PublicBranding
}

export type PublicPrizeState = Pick<PublicPrize, 'place' | 'kind' | 'units' | 'state'> & {
  walletAddress: Address | null
  /** When it came to stand so. */
  at: string | null
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

/** A drawn ticket: `place` 1 of the winners is the one of `PublicWinner`; a reserve's turn comes where a prize is free. */
export type PublicDrawnTicket = Omit<PublicWinner, 'randomNumber' | 'announcedAt'> & {
  kind: 'winner' | 'reserve'
  place: number
}

/** `sealed` before the round is due, `awaited` while its signature is not there, `found` once it was verified. */
export type BeaconState = 'sealed' | 'awaited' | 'found'

export type PublicDrawStatus = {
  isDrawing: boolean
  isRefundMode: boolean
  canDraw: boolean
  /** The winners were announced, and the operator hid them again: their prizes stand, and turns run on. */
  isWinnerHidden: boolean
  refundNotice: boolean
  refundReason: RefundCause | null
  /** Null where no round is mixed in, and while no draw date is set. */
  beacon: BeaconState | null
  beaconDueAt: string | null
  /** SHA-256 of the five hashes, once D is final. */
  blockSeed: Hex | null
  /** D−4 … D, oldest first, as long as the draw waits for a round. */
  drawBlocks: { number: number; hash: Hash }[] | null
  /** Of events in refund mode, archived ones too, in which somebody is not paid yet; oldest first. */
  refunds: PublicRefund[]
}

/** A refund that is not over. Amounts that are too small to be sent by themselves are left out. */
export type PublicRefund = {
  eventNumber: number
  since: string
  days: number
  /** Payers who have got back all that they paid, by final transfers. */
  paid: number
  open: number
}

export type PublicHistoryItem = {
  id: number
  eventNumber: number
  drawDate: string | null
  winnerWallet: Address | null
  winnerTransactionHash: Hash | null
  randomNumber: string | null
  /** Of an event that promised more than one winner: all of them, in order. */
  winners: PublicDrawnTicket[]
  /** By place; empty where no record was kept. */
  prizes: PublicPrizeState[]
  /** What was raffled, by place, and the key of its first picture; nothing of an event without content. */
  names: Both[]
  picture: string | null
}

export type PublicEventSettings = {
  prizeImageUrl: string | null
  prizeValue: string | null
  prizeDescription: string | null
  eventStartDate: string | null
  isActive: boolean
  updatedAt: string | null
}

export type PublicChange = {
  eventNumber: number
  at: string
  field: string
  from: string | null
  to: string | null
}

export type PublicState = {
  version: number
  config: PublicConfig
  stats: PublicStats
  recent: PublicPurchase[]
  winner: PublicWinner | null
  /** All winners in order, then the reserves; empty while none is announced. */
  winners: PublicDrawnTicket[]
  prizes: PublicPrize[]
  drawStatus: PublicDrawStatus
  history: PublicHistoryItem[]
  eventSettings: PublicEventSettings
  solvency: PublicSolvency
  rules: PublicRules
}

/** First event of `GET /api/live`. `now` is the server's clock in milliseconds. */
export type LiveSnapshot = PublicState & { now: number }
/** Later events: the version and the parts that changed; `recentAdded` goes before the purchases known so far. */
export type LiveChange = { version: number; now: number; recentAdded?: PublicPurchase[] } & Partial<
  Omit<PublicState, 'version'>
>
/** Heartbeat: sent every 5 s and when `stale` changes. `stale` while the database does not answer. */
export type LiveBeat = { version: number; now: number; stale: boolean }

/** What came back and is still owed, in hundredths, and the last transaction that paid its payer. Null: it does not go back. */
export type PaymentRefund = {
  amount: number
  due: number
  transactionHash: Hash | null
  at: string | null
} | null

type ReportedPayment = {
  status: PaymentStatus
  reason: PaymentReason | null
  ticketNumber: number | null
  ticketCount: number
  amount: number
  refund: PaymentRefund
}

export type PurchaseReport = Pick<ReportedPayment, 'status' | 'reason'> & {
  transactionHash: Hash
  payments: (ReportedPayment & { walletAddress: Address })[]
}

/** Answer of `GET /api/tickets/wallet/{address}`: payments of every event, newest first; `ticketCount` is the current one's. */
export type WalletReport = {
  walletAddress: Address
  ticketCount: number
  payments: (ReportedPayment & {
    /** Null for a payment that belongs to no event. */
    eventNumber: number | null
    transactionHash: Hash
    createdAt: string
  })[]
}

/** Answer of `POST /api/tickets/purchase`: 202 the first time, 200 for a repeat. */
export type PurchaseReceipt = {
  transactionHash: Hash
  status: PaymentStatus
  /** The page does not sell where this came from. What is paid counts all the same. */
  isCountryClosed?: true
}

/** Every refusal. `error` is the sentence for people, `field` the value of the call that is meant. */
export type ErrorBody = {
  code: ErrorCode | 'INTERNAL'
  error: string
  message: string
  requestId: string
  field?: string
  /** What its sentence speaks of; `reason` says which of the code's sentences it is. */
  values?: ErrorValues
}

export const recentLimit = 50

/** The parts of `next` that differ from `known`; of the purchases only the new ones, not the whole list. */
export function changeBetween(known: PublicState, next: PublicState, now: number): LiveChange {
  const { version, recent, ...parts } = next
  const change: LiveChange = { version, now }
  for (const [name, value] of Object.entries(parts))
    if (!same(known[name as keyof typeof parts], value)) Object.assign(change, { [name]: value })
  if (same(known.recent, recent)) return change
  const recentAdded = addedTo(known.recent, recent)
  return recentAdded ? { ...change, recentAdded } : { ...change, recent }
}

/** Merges a change into `known`; parts that the change does not name stay as they were. */
export function applyChange<K extends Partial<PublicState>>(known: K, change: LiveChange): K {
  const { now: _, recentAdded, ...parts } = change
  if (!recentAdded) return { ...known, ...parts }
  return { ...known, ...parts, recent: [...recentAdded, ...(known.recent ?? [])].slice(0, recentLimit) }
}

/** The purchases added in front of `known`; undefined if the lists differ in any other way. */
function addedTo(known: PublicPurchase[], next: PublicPurchase[]): PublicPurchase[] | undefined {
  const count = next.findIndex((purchase) => purchase.id === known[0]?.id)
  if (count < 1) return undefined
  const added = next.slice(0, count)
  return same([...added, ...known].slice(0, recentLimit), next) ? added : undefined
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `unknown`: the balances could not be read, or nothing was read for ten minutes. */
export type Cover = 'covered' | 'short' | 'unknown'

/** What the operator's wallets held and what was owed at one final block; amounts are whole units of the token as decimal text. */
export type PublicSolvency = {
  state: Cover
  held: string | null
  required: string | null
  block: { number: number; timestamp: number } | null
}
