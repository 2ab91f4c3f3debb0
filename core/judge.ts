import type { Address } from 'viem'
import { mostTickets, ticketsFor } from './money.ts'
import type { FoundPayment, Payment, PaymentReason } from './payment.ts'

/** The facts of an event that decide about a payment. Times are seconds since 1970, as in block headers. */
export type SaleTerms = {
  number: number
  operatorWallet: Address
  ticketPrice: bigint
  saleStart: number
  saleEnd: number | null
  /** It is drawn or archived: its ledger never changes again. */
  isClosed: boolean
}

/** A wallet that an event was ever paid at. Times are seconds since 1970. */
export type OurWallet = {
  address: Address
  /** Since then it is ours: what it got before was not paid to the raffle, unless it is its event's wallet. */
  since: number
  /** From blocks of this time on it buys nothing; null while nothing shows that the operator holds its key. */
  ownSince: number | null
}

/** All that the verdict about a payment rests on; `events` in order of their numbers. */
export type SaleRules = {
  events: readonly SaleTerms[]
  wallets: readonly OurWallet[]
  /** When the first sale began at first, if its start was moved since: money that came meanwhile is owed. */
  firstSaleStart?: number | undefined
}

/** `eventNumber` is null for money that is not the raffle's: it is not recorded at all. */
export type Verdict = {
  eventNumber: number | null
  status: 'credited' | 'rejected'
  reason: PaymentReason | null
  ticketCount: number
}

export const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

/** Money that a wallet got longer before it was ours than this, in seconds, is none of the raffle's. */
const lookBack = 86_400

/**
 * Decides whether a final payment is credited. It belongs to the last event whose sale had started at the
 * time of its block.
 */
export function judgePayment(
  payment: Pick<Payment, 'payer' | 'wallet' | 'units'>,
  blockTime: number,
  rules: SaleRules,
): Verdict {
  const event = rules.events.findLast((e) => e.saleStart <= blockTime)
  const begin = beginOf(payment.wallet, event, rules)
  const number = event?.number ?? rules.events[0]?.number
  if (number === undefined || (isPast(event) && blockTime < begin - lookBack)) return rejected(null, 'early')
  if (isNobodys(payment)) return rejected(number, 'held')
  if (blockTime < begin) return rejected(number, 'early')
  if (isOwn(payment.payer, blockTime, rules.wallets)) return rejected(number, 'held')
  if (!event) return rejected(number, 'late')
  if (payment.wallet !== event.operatorWallet.toLowerCase()) return rejected(number, 'old_wallet')
  if (event.saleEnd !== null && blockTime >= event.saleEnd) return rejected(number, 'late')
  const ticketCount = ticketsFor(payment.units, event.ticketPrice)
  if (ticketCount === 0) return rejected(number, 'underpaid')
  if (ticketCount === undefined) return rejected(number, 'held')
  if (event.isClosed) return rejected(number, 'missed')
  return { eventNumber: number, status: 'credited', reason: null, ticketCount }
}

/**
 * Money that came before the first sale, or before its wallet was the raffle's. The scan does not look for it, so it is
 * no hole in the ledger, whatever the verdict is: none gives it a ticket.
 */
export function isBeforeSale(
  { wallet }: Pick<Payment, 'wallet'>,
  blockTime: number,
  rules: SaleRules,
): boolean {
  const event = rules.events.findLast((e) => e.saleStart <= blockTime)
  return event === undefined || blockTime < beginOf(wallet, event, rules)
}

/** A payment with its verdict and, if it is credited, its first ticket. */
export type FoldedPayment = FoundPayment & Verdict & { ticketNumber: number | null }

/**
 * Judges payments in the order given, which is chain order, and numbers their tickets. `sold` says how many
 * tickets each event has, and is moved on: a payment that would take its event above the most that it can
 * have is held as a whole, smaller ones after it may fit.
 */
export function foldPayments(
  found: readonly FoundPayment[],
  rules: SaleRules,
  sold: Map<number, number>,
): FoldedPayment[] {
  return found.map((payment) => {
    const verdict = judgePayment(payment, payment.blockTime, rules)
    const { eventNumber, ticketCount } = verdict
    if (verdict.status === 'rejected' || eventNumber === null)
      return { ...payment, ...verdict, ticketNumber: null }
    const before = sold.get(eventNumber) ?? 0
    if (!hasRoom(before, ticketCount))
      return { ...payment, ...rejected(eventNumber, 'held'), ticketNumber: null }
    sold.set(eventNumber, before + ticketCount)
    return { ...payment, ...verdict, ticketNumber: before + 1 }
  })
}

/** Whether an event that has sold so many tickets can take so many more. */
const hasRoom = (sold: number, ticketCount: number): boolean => sold + ticketCount <= mostTickets

/** What comes during an open sale is recorded, whatever it is, so that two readings of it can be compared. */
const isPast = (event: SaleTerms | undefined): boolean => event === undefined || event.isClosed

/** When money to this wallet begins to be the raffle's, as far as a payment under this event is concerned. */
function beginOf(wallet: Address, event: SaleTerms | undefined, rules: SaleRules): number {
  const { events, wallets, firstSaleStart } = rules
  const since = wallets.find(({ address }) => address === wallet)?.since
  if (!event) {
    const start = events[0]?.saleStart ?? 0
    return firstSaleStart === undefined ? start : Math.max(firstSaleStart, since ?? start)
  }
  if (wallet === event.operatorWallet.toLowerCase()) return event.saleStart
  return since ?? event.saleStart
}

/** New money of the token, or a transfer that moves nothing. */
const isNobodys = ({ payer, wallet }: Pick<Payment, 'payer' | 'wallet'>): boolean =>
  payer === zeroAddress || payer === wallet

/** The operator's, who buys nothing from himself. */
const isOwn = (payer: Address, blockTime: number, wallets: readonly OurWallet[]): boolean =>
  wallets.some(({ address, ownSince }) => address === payer && ownSince !== null && ownSince <= blockTime)

const rejected = (eventNumber: number | null, reason: PaymentReason): Verdict => ({
  eventNumber,
  status: 'rejected',
  reason,
  ticketCount: 0,
})
