import { centsOf } from '../../../core/money.ts'
import type { LedgerLine } from '../../../core/payment/ledger.ts'
import type { Purchase, SiteClaim } from './site.ts'

export type Told = Pick<SiteClaim, 'ticketsSold' | 'recent'>
export type Difference =
  | { kind: 'wrong'; text: string }
  /** It tells more than was read here, up to ticket `told`, which later blocks may confirm. */
  | { kind: 'ahead'; text: string; told: number }

/**
 * Why the site's number and newest purchases cannot come from these payments; undefined if they can. A site may be
 * some blocks behind: its number must be that of the payments up to one of them.
 */
export function compareClaim(
  lines: readonly LedgerLine[],
  { ticketsSold, recent }: Told,
): Difference | undefined {
  const total = lastTicket(lines.at(-1))
  if (ticketsSold > 0 && ticketsSold <= total && !lines.some((line) => lastTicket(line) === ticketsSold))
    return { kind: 'wrong', text: `no payments of the chain add up to ${ticketsSold} tickets` }
  const byNumber = new Map(lines.map((line) => [line.ticketNumber, line]))
  const odd = recent.find(
    (purchase) => !isSame(byNumber.get(purchase.ticketNumber), purchase) && purchase.ticketNumber <= total,
  )
  if (odd)
    return { kind: 'wrong', text: `the chain does not have ticket ${odd.ticketNumber} as the site shows it` }
  const shown = Math.max(0, ...recent.map(lastTicket))
  if (ticketsSold > total)
    return {
      kind: 'ahead',
      text: `the site counts ${ticketsSold} tickets, the chain has ${total}`,
      told: Math.max(ticketsSold, shown),
    }
  if (shown > total)
    return { kind: 'ahead', text: `the site shows ticket ${shown}, the chain has ${total}`, told: shown }
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

const lastTicket = (line: Pick<LedgerLine, 'ticketNumber' | 'ticketCount'> | undefined): number =>
  line ? line.ticketNumber + line.ticketCount - 1 : 0

const isSame = (line: LedgerLine | undefined, purchase: Purchase): boolean =>
  line !== undefined &&
  line.ticketCount === purchase.ticketCount &&
  line.transactionHash === purchase.transactionHash.toLowerCase() &&
  line.payer === purchase.walletAddress.toLowerCase() &&
  centsOf(line.value) === BigInt(purchase.amount)
