import type { PublicConfig } from '../../../core/public.ts'

export type Sale = 'open' | 'closing' | 'closed' | 'paused'

/**
 * Whether the buy button works at `now` on the server's clock. It closes a little before the sale does, as a
 * payment needs time to get into a block; in the last two minutes the page warns.
 */
export function salePhase(
  config: Pick<PublicConfig, 'saleEndDate' | 'saleLeadSeconds' | 'salesPaused' | 'isRefundMode'>,
  now: number,
): Sale {
  if (config.isRefundMode) return 'closed'
  const end = config.saleEndDate ? Date.parse(config.saleEndDate) : Number.POSITIVE_INFINITY
  const marginMs = Math.min(15_000, (config.saleLeadSeconds * 1000) / 2)
  if (now >= end - marginMs) return 'closed'
  if (config.salesPaused) return 'paused'
  return now >= end - 120_000 ? 'closing' : 'open'
}
