import type { Address } from 'viem'
import { mostTickets, ticketsFor } from '../money.ts'
import type { FoundPayment, Payment, PaymentReason } from './payment.ts'

/** One version of an event's terms. Times are seconds since 1970. */
export type SaleTerms = {
  number: number
  operatorWallet: Address
  anchorWallet: Address | null
  /** Operator wallets of earlier events, in lower case. */
  formerWallets: readonly Address[]
  ticketPrice: bigint
  /** In force from blocks of this time on; left out: from the sale start on. */
  since?: number | undefined
  saleStart: number
  saleEnd: number | null
  /** Its list is frozen, or another version was locked: nothing gets a ticket by it any more. */
  isClosed: boolean
  /** The first ticket was given, or the terms were anchored. */
  isLocked?: boolean | undefined
}

/** A wallet that an event was ever paid at. Times are seconds since 1970. */
export type OurWallet = {
  address: Address
  /** Since then it is ours: what it got before was not paid to the raffle, unless it is its event's wallet. */
  since: number
}

/** All that the verdict about a payment rests on; `events` in order of numbers, and an entry for each version of its terms. */
export type SaleRules = {
  events: readonly SaleTerms[]
  wallets: readonly OurWallet[]
}

/** `eventNumber` is null for money that is not the raffle's: it is not recorded at all. */
export type Verdict = {
  eventNumber: number | null
  status: 'credited' | 'rejected'
  reason: PaymentReason | null
  ticketCount: number
}

const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

/** Money that a wallet got longer before it was ours than this, in seconds, is none of the raffle's. */
const lookBack = 86_400

/** A payment belongs to the last event whose sale had started at the time of its block. */
export function judgePayment(
  payment: Pick<Payment, 'payer' | 'wallet' | 'units'>,
  blockTime: number,
  rules: SaleRules,
): Verdict {
  const event = termsAt(rules, blockTime)
  const begin = beginOf(payment.wallet, event, rules)
  const number = event?.number ?? rules.events[0]?.number
  if (number === undefined || (isPast(event) && blockTime < begin - lookBack)) return rejected(null, 'early')
  if (isNobodys(payment)) return rejected(number, 'held')
  if (blockTime < begin) return rejected(number, 'early')
  if (event && isOurs(payment.payer, event)) return rejected(number, 'held')
  if (!event) return rejected(number, 'late')
  if (payment.wallet !== event.operatorWallet.toLowerCase()) return rejected(number, 'old_wallet')
  if (event.saleEnd !== null && blockTime >= event.saleEnd) return rejected(number, 'late')
  const ticketCount = ticketsFor(payment.units, event.ticketPrice)
  if (ticketCount === 0) return rejected(number, 'underpaid')
  if (ticketCount === undefined) return rejected(number, 'full')
  if (event.isClosed) return rejected(number, 'missed')
  return { eventNumber: number, status: 'credited', reason: null, ticketCount }
}

/** It came before the first sale, or before its wallet was the raffle's: the scan does not look for it. */
export function isBeforeSale(
  { wallet }: Pick<Payment, 'wallet'>,
  blockTime: number,
  rules: SaleRules,
): boolean {
  const event = termsAt(rules, blockTime)
  return event === undefined || blockTime < beginOf(wallet, event, rules)
}

export type FoldedPayment = FoundPayment & Verdict & { ticketNumber: number | null }

/**
 * In chain order. `sold`, the tickets of each event before them, is moved on; a payment beyond the most that an event can have
 * gets none, smaller ones after it may fit.
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
    if (before + ticketCount > mostTickets)
      return { ...payment, ...rejected(eventNumber, 'full'), ticketNumber: null }
    sold.set(eventNumber, before + ticketCount)
    return { ...payment, ...verdict, ticketNumber: before + 1 }
  })
}

/** The version of an event's terms that is in force at this time; undefined before the first sale. */
const termsAt = ({ events }: SaleRules, blockTime: number): SaleTerms | undefined =>
  events.findLast(({ since, saleStart }) => (since ?? saleStart) <= blockTime)

/** What comes during an open sale is recorded, whatever it is, so that two readings of it can be compared. */
const isPast = (event: SaleTerms | undefined): boolean => event === undefined || event.isClosed

/** When money to this wallet begins to be the raffle's, as far as a payment under this event is concerned. */
function beginOf(wallet: Address, event: SaleTerms | undefined, { events, wallets }: SaleRules): number {
  if (!event) return events[0]?.saleStart ?? 0
  if (wallet === event.operatorWallet.toLowerCase()) return event.saleStart
  return wallets.find(({ address }) => address === wallet)?.since ?? event.saleStart
}

/** New money of the token, or a transfer that moves nothing. */
const isNobodys = ({ payer, wallet }: Pick<Payment, 'payer' | 'wallet'>): boolean =>
  payer === zeroAddress || payer === wallet

/** The operator's own money, which buys nothing from himself. */
const isOurs = (payer: Address, { anchorWallet, formerWallets }: SaleTerms): boolean =>
  payer === anchorWallet?.toLowerCase() || formerWallets.includes(payer)

const rejected = (eventNumber: number | null, reason: PaymentReason): Verdict => ({
  eventNumber,
  status: 'rejected',
  reason,
  ticketCount: 0,
})
