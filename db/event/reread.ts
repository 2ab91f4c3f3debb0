import { and, eq, gte } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { voidPayments } from '../payment/void.ts'
import { payments } from '../schema/index.ts'
import type { Event } from './events.ts'
import { getScanCursor, rewindCursor } from './scan-cursor.ts'

/**
 * After another wallet, price, token or chain: payments of the running sale are judged anew, and blocks that were
 * scanned for other terms are read again. The caller has made sure that no payment has had a ticket. A scan
 * that has not reached the sale start yet goes on from where it is, so no late payment of the event before is skipped.
 */
export async function rereadSale(
  tx: Db,
  event: Event,
  { why, isOtherChain = false }: { why: string; isOtherChain?: boolean },
): Promise<void> {
  const ofSale = and(eq(payments.eventNumber, event.number), gte(payments.blockTime, event.saleStart))
  await voidPayments(tx, ofSale, why)
  const cursor = await getScanCursor(tx)
  if (cursor && (isOtherChain || cursor.blockTime >= event.saleStart)) await rewindCursor(tx, undefined)
}
