import type { PublicConfig, PublicDrawStatus } from '../../../core/live/public.ts'
import { salePhase } from '../buy/sale.ts'
import type { Stage } from '../event/state-slots.ts'
import { hasWinner } from './history.ts'
import type { Known } from './live.ts'

/** Undefined while the state is not known. */
export function stageOf({ config, winner, drawStatus }: Known, now: number): Stage | undefined {
  if (!config) return undefined
  if (isRefund(config, drawStatus)) return 'refund'
  if (hasWinner(winner)) return 'drawn'
  return salePhase(config, now) === 'closed' ? 'waiting' : 'selling'
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
