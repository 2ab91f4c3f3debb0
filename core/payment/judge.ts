import type { Address } from 'viem'
import { mostTickets, ticketsFor } from '../money.ts'
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
  /** Tickets in all, and of one payer; null, or left out, for no cap. */
  maxTickets?: number | null | undefined
  maxPerWallet?: number | null | undefined
  /** Of a drawn event: who may claim on chain, and in blocks of which times. */
  claims?: { wallets: ReadonlySet<Address>; from: number; until: number } | undefined
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

const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

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
  const claimed = rules.events.findLast((one) => isClaim(payment, blockTime, one, event))
  if (claimed) return rejected(claimed.number, 'claim')
  if (blockTime < begin) return rejected(number, 'early')
  if (isOwn(payment.payer, blockTime, rules.wallets)) return rejected(number, 'held')
  if (!event) return rejected(number, 'late')
  if (payment.wallet !== event.operatorWallet.toLowerCase()) return rejected(number, 'old_wallet')
  if (event.saleEnd !== null && blockTime >= event.saleEnd) return rejected(number, 'late')
  const ticketCount = ticketsFor(payment.units, event.ticketPrice)
  if (ticketCount === 0) return rejected(number, 'underpaid')
  if (ticketCount === undefined) return rejected(number, 'full')
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
 * How many tickets each event has, and, by event, each of its payers: those of `held` count where a cap for a wallet is set, and
 * only the payers of the payments that are folded have to be there.
 */
export type TicketCounts = { sold: Map<number, number>; held: Map<number, Map<Address, number>> }

/**
 * Judges payments in the order given, which is chain order, and numbers their tickets. `counts` says how many tickets
 * there are before them, and is moved on: a payment that would go beyond a cap of its event, or beyond the most
 * tickets that an event can have, gets none as a whole, smaller ones after it may fit.
 */
export function foldPayments(
  found: readonly FoundPayment[],
  rules: SaleRules,
  counts: TicketCounts,
): FoldedPayment[] {
  return found.map((payment) => {
    const verdict = judgePayment(payment, payment.blockTime, rules)
    const { eventNumber, ticketCount } = verdict
    const event = rules.events.find(({ number }) => number === eventNumber)
    if (verdict.status === 'rejected' || !event) return { ...payment, ...verdict, ticketNumber: null }
    const sold = counts.sold.get(event.number) ?? 0
    const held = heldOf(counts, event)
    const before = { sold, held: held?.get(payment.payer) ?? 0 }
    const refusal = whyNoRoom(event, before, ticketCount)
    if (refusal) return { ...payment, ...rejected(event.number, refusal), ticketNumber: null }
    counts.sold.set(event.number, sold + ticketCount)
    held?.set(payment.payer, before.held + ticketCount)
    return { ...payment, ...verdict, ticketNumber: sold + 1 }
  })
}

/** Undefined where nothing has to be counted: a million payers would fill the memory. */
function heldOf(
  { held }: TicketCounts,
  { number, maxPerWallet }: SaleTerms,
): Map<Address, number> | undefined {
  if (maxPerWallet == null) return undefined
  const known = held.get(number) ?? new Map<Address, number>()
  held.set(number, known)
  return known
}

/** Why so many more tickets do not fit, where the event has `sold` and the payer `held` before; undefined if they do. */
export function whyNoRoom(
  { maxTickets, maxPerWallet }: Pick<SaleTerms, 'maxTickets' | 'maxPerWallet'>,
  { sold, held }: { sold: number; held: number },
  ticketCount: number,
): 'over_cap' | 'full' | undefined {
  if (maxTickets != null && sold + ticketCount > maxTickets) return 'over_cap'
  if (maxPerWallet != null && held + ticketCount > maxPerWallet) return 'over_cap'
  return sold + ticketCount > mostTickets ? 'full' : undefined
}

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

/**
 * Exactly one unit of a drawn wallet is a word and no money: a claim of the prize (core/prize/turns.ts). It goes to its event's
 * wallet, or to the one that the page shows at that time: who comes back later sees the wallet of another event.
 */
const isClaim = (
  { payer, wallet, units }: Pick<Payment, 'payer' | 'wallet' | 'units'>,
  blockTime: number,
  { operatorWallet, claims }: SaleTerms,
  running: SaleTerms | undefined,
): boolean =>
  units === 1n &&
  claims !== undefined &&
  claims.wallets.has(payer) &&
  [operatorWallet, running?.operatorWallet].some((one) => one?.toLowerCase() === wallet) &&
  blockTime >= claims.from &&
  blockTime < claims.until

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
