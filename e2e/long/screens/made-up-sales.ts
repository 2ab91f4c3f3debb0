import type { PublicConfig } from '../../../core/live/public.ts'
import { mostBuckets, type PublicSales } from '../../../core/sales/sales.ts'

/** A sale that began ten days before now and had its rush in the middle. */
export function madeUpSales(
  { eventNumber, minTicketsForDraw, saleEndDate }: PublicConfig,
  sold: number,
): PublicSales {
  const now = Date.now()
  const from = now - 10 * 86_400_000
  const to = Math.min(now, saleEndDate ? Date.parse(saleEndDate) : now)
  const seconds = Math.ceil((to - from) / 1_000 / mostBuckets)
  const rush = (part: number) => 1 / (1 + Math.exp(-10 * (part - 0.5)))
  const tickets = Array.from({ length: mostBuckets }, (_, index) =>
    Math.round(sold * rush((index + 1) / mostBuckets)),
  )
  return {
    ...{ eventNumber, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    ...{ bucketSeconds: seconds, tickets: [...tickets.slice(0, -1), sold] },
    minTickets: minTicketsForDraw,
  }
}
