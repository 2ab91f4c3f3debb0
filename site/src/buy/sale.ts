import { buttonClosesMs } from '../../../core/event/event.ts'
import type { PublicConfig } from '../../../core/live/public.ts'

export type Sale = 'soon' | 'open' | 'closing' | 'closed' | 'paused'

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
