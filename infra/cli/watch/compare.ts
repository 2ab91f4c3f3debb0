import type { SaleTerms } from '../../../core/judge.ts'
import type { LedgerLine } from '../../../core/ledger.ts'
import { centsOf } from '../../../core/money.ts'
import type { PublicPurchase } from '../../../core/public.ts'
import type { SiteClaim } from './site.ts'

/**
 * Why the site's number and newest purchases cannot come from these payments; undefined if they can. A site may be
 * some blocks behind: its number must be that of the payments up to one of them. `ahead`: it tells more than was
 * read here, which later blocks may confirm.
 */
export function compareClaim(
  lines: readonly LedgerLine[],
  { ticketsSold, recent }: Pick<SiteClaim, 'ticketsSold' | 'recent'>,
): { kind: 'wrong' | 'ahead'; text: string } | undefined {
  const total = lastTicket(lines.at(-1))
  if (ticketsSold > total)
    return { kind: 'ahead', text: `the site counts ${ticketsSold} tickets, the chain has ${total}` }
  if (ticketsSold > 0 && !lines.some((line) => lastTicket(line) === ticketsSold))
    return { kind: 'wrong', text: `no payments of the chain add up to ${ticketsSold} tickets` }
  const byNumber = new Map(lines.map((line) => [line.ticketNumber, line]))
  for (const purchase of recent) {
    const line = byNumber.get(purchase.ticketNumber)
    if (!line && purchase.ticketNumber > total)
      return { kind: 'ahead', text: `the site shows ticket ${purchase.ticketNumber}, the chain has ${total}` }
    if (!line || !isSame(line, purchase))
      return {
        kind: 'wrong',
        text: `the chain does not have ticket ${purchase.ticketNumber} as the site shows it`,
      }
  }
  return undefined
}

/** The first line on which the site's file and the chain differ; undefined if they are equal, byte for byte. */
export function compareLedger(own: string, told: string): string | undefined {
  if (own === told) return undefined
  const [ours, theirs] = [own.split('\n'), told.split('\n')]
  const at = ours.findIndex((line, index) => line !== theirs[index])
  const index = at < 0 ? ours.length : at
  return `line ${index + 1} of the site's list is "${theirs[index] ?? ''}", by the chain it is "${ours[index] ?? ''}"`
}

/** The terms of a sale whose change would make another list of the same payments. */
export function changedTerm(before: SaleTerms, now: SaleTerms): string | undefined {
  const fixed = ['operatorWallet', 'ticketPrice', 'saleStart'] as const
  const changed = fixed.find((name) => before[name] !== now[name])
  return changed && `the site changed ${changed} from ${before[changed]} to ${now[changed]}`
}

const lastTicket = (line: LedgerLine | undefined): number =>
  line ? line.ticketNumber + line.ticketCount - 1 : 0

const isSame = (line: LedgerLine, purchase: PublicPurchase): boolean =>
  line.ticketCount === purchase.ticketCount &&
  line.transactionHash === purchase.transactionHash.toLowerCase() &&
  line.payer === purchase.walletAddress.toLowerCase() &&
  centsOf(line.value) === BigInt(purchase.amount)
