import { type Caps, leftUnder } from '../../../core/event/caps.ts'
import type { PublicConfig, PublicStats, WalletReport } from '../../../core/live/public.ts'
import { usdt } from '../../../core/money.ts'
import { fill, plural } from '../texts/fill.ts'
import { t } from '../texts/index.ts'
import { isSameAddress } from '../wallet/same-address.ts'
import { priceCents } from '../wallet/transfer.ts'
import type { Purchase } from './purchase.ts'

type Promised = Partial<Caps> | undefined

/** "At most 5 tickets per wallet, 12 tickets in all"; undefined for an event without caps. */
function limitOf({ maxTickets = null, maxPerWallet = null }: Partial<Caps> = {}): string | undefined {
  const parts = [
    maxPerWallet !== null && plural(t.limits.perWallet, maxPerWallet),
    maxTickets !== null && plural(t.limits.inAll, maxTickets),
  ].filter((part) => part !== false)
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** What becomes of a payment beyond a cap; undefined without one. */
export function limitRule(caps: Promised): string | undefined {
  const limit = limitOf(caps)
  return limit && fill(t.limits.rule, { limit })
}

/** The 99 USDT of the example. */
export const exampleTickets = 33

/** What the page says of the caps; null for what it says by itself, without any. */
export function limitFacts(caps: Partial<Caps>, stats?: PublicStats): Record<string, string | null> {
  const [limit, rule] = [limitOf(caps), limitRule(caps)]
  if (!limit || !rule) return nothingSaid
  // An example that nobody can follow would cost somebody his tickets.
  const example = Math.min(
    exampleTickets,
    caps.maxTickets ?? exampleTickets,
    caps.maxPerWallet ?? exampleTickets,
  )
  return {
    examplePaid: stats ? usdt(priceCents(stats.ticketPrice) * BigInt(example)) : null,
    exampleBought: stats ? plural(t.tickets, example) : null,
    limit: caps.maxPerWallet == null ? `${t.limits.none}, ${limit}` : limit,
    limitHint: `${limit}.`,
    limitRule: ` ${rule}`,
    limitTitle: t.limits.title,
    limitReason: rule,
    ofMost: caps.maxTickets == null ? '' : fill(t.limits.ofMost, { count: caps.maxTickets }),
  }
}

const nothingSaid = Object.fromEntries(
  [
    ...['limit', 'limitHint', 'limitRule', 'limitTitle', 'limitReason', 'ofMost'],
    ...['examplePaid', 'exampleBought'],
  ].map((fact) => [fact, null]),
)

/** Nobody can buy any more, whatever the date of the sale end. */
export const isSoldOut = (caps: Promised, stats: PublicStats | undefined): boolean =>
  caps?.maxTickets != null && stats !== undefined && stats.ticketsSold >= caps.maxTickets

type Known = {
  config: PublicConfig | undefined
  stats: PublicStats | undefined
  mine: WalletReport | undefined
  purchases: readonly Pick<Purchase, 'hash' | 'walletAddress' | 'quantity' | 'status'>[]
  address: string | undefined
}

/**
 * What the caps leave to the connected wallet, whose payments of this browser that are not final yet count as if they had
 * their tickets. `limit` is the largest quantity, at least 1; `hint` says it before anything is signed.
 */
export function roomFor({ config, stats, mine, purchases, address }: Known) {
  const caps: Caps = { maxTickets: config?.maxTickets ?? null, maxPerWallet: config?.maxPerWallet ?? null }
  const known = new Set(mine?.payments.map(({ transactionHash }) => transactionHash))
  const confirming = purchases.reduce(
    (sum, { hash, status, quantity, walletAddress }) =>
      isUnderWay(status) && !known.has(hash) && isSameAddress(walletAddress, address) ? sum + quantity : sum,
    0,
  )
  const held = address ? (mine?.ticketCount ?? 0) + confirming : 0
  const { inTotal, ofWallet } = leftUnder(caps, { sold: (stats?.ticketsSold ?? 0) + confirming, held })
  const hints = [
    caps.maxPerWallet !== null && fill(t.limits.have, { most: plural(t.tickets, caps.maxPerWallet), held }),
    caps.maxTickets !== null && plural(t.limits.left, inTotal),
  ].filter((hint) => hint !== false)
  const isCapped = hints.length > 0
  return {
    limit: isCapped ? Math.max(1, Math.min(inTotal, ofWallet)) : Number.POSITIVE_INFINITY,
    isSoldOut: isSoldOut(caps, stats),
    isFull: isCapped && Math.min(inTotal, ofWallet) === 0,
    hint: hints.join(' '),
  }
}

const isUnderWay = (status: Purchase['status']): boolean =>
  status === 'sent' || status === 'received' || status === 'confirming'
