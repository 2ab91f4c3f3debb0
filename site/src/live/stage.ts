import { buttonClosesMs } from '../../../core/event/event.ts'
import type {
  PublicConfig,
  PublicDrawStatus,
  PublicHistoryItem,
  PublicWinner,
} from '../../../core/live/public.ts'
import type { Stage } from '../event/state-slots.ts'
import { t } from '../texts/index.ts'
import type { Known } from './live.ts'

/** Undefined while the state is not known. */
export function stageOf({ config, winner, drawStatus }: Known, now: number): Stage | undefined {
  if (!config) return undefined
  if (isRefund(config, drawStatus)) return 'refund'
  if (hasWinner(winner)) return 'drawn'
  return salePhase(config, now) === 'closed' ? 'waiting' : 'selling'
}

type Sale = 'soon' | 'open' | 'closing' | 'closed' | 'paused'

/** By the server's clock; it closes a little before the sale does, as a payment needs time to get into a block. */
export function salePhase(
  config: Pick<PublicConfig, 'saleEndDate' | 'saleLeadSeconds' | 'salesPaused' | 'isRefundMode' | 'isSoon'>,
  now: number,
): Sale {
  if (config.isRefundMode) return 'closed'
  const end = config.saleEndDate ? Date.parse(config.saleEndDate) : Number.POSITIVE_INFINITY
  if (now >= end - buttonClosesMs(config.saleLeadSeconds)) return 'closed'
  if (config.salesPaused) return 'paused'
  if (config.isSoon) return 'soon'
  return now >= end - 120_000 ? 'closing' : 'open'
}

/** Why nobody should send money by hand now; undefined while tickets are sold, and while nothing is known. */
export function restOf({ config, drawStatus }: Known, now: number): Rest | undefined {
  if (!config) return undefined
  if (isRefund(config, drawStatus)) return 'refund'
  const sale = salePhase(config, now)
  return sale === 'open' || sale === 'closing' ? undefined : sale
}
type Rest = 'refund' | 'closed' | 'paused' | 'soon'

export const isRefund = (config: PublicConfig, drawStatus: PublicDrawStatus | undefined): boolean =>
  config.isRefundMode || drawStatus?.isRefundMode === true

export const pageSize = 5

/** A winner counts only with a wallet text longer than 10 characters. */
export const hasWinner = (winner: PublicWinner | null | undefined): winner is PublicWinner =>
  typeof winner?.walletAddress === 'string' && winner.walletAddress.length > 10

export const shownHistory = (items: readonly PublicHistoryItem[]): PublicHistoryItem[] =>
  items
    .filter(({ id, eventNumber }) => Boolean(id) && Boolean(eventNumber))
    .sort((a, b) => b.eventNumber - a.eventNumber)

/** "09/30 12:00", in UTC. */
export function shortDate(value: string | null): string {
  if (!value) return t.none.notSet
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return t.none.invalidDate
  return date.toISOString().slice(-19, -8).replace('-', '/').replace('T', ' ')
}

export function dollars(value: string | null | undefined): string {
  const text = value?.trim()
  if (!text) return t.none.tba
  return text.startsWith('$') ? text : `$${text}`
}
