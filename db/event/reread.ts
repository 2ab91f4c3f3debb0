import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { takeBack } from '../payment/rewind.ts'
import { changes, payments, secondReading } from '../schema/index.ts'
import { type Event, nextSaleStart } from './events.ts'
import { getScanCursor, rewindCursor } from './scan-cursor.ts'

/**
 * After another wallet, price, cap, token or chain, where no payment has had a ticket: what else is to be set. A young sale
 * is read again. A sale whose first blocks endpoints may have forgotten begins anew instead: payments on record stay as
 * they are, and what came before the new start is owed.
 */
export async function rejudgeSale(tx: Db, event: Event, { isOtherChain }: { isOtherChain: boolean }) {
  if (await canReread(tx, event)) {
    await rereadSale(tx, event, isOtherChain)
    return {}
  }
  if (isOtherChain) await rewindCursor(tx, undefined)
  else await tx.delete(secondReading)
  return { saleStart: nextSaleStart, openedAt: null }
}

/** Public nodes keep about three days. */
async function canReread(tx: Db, { saleStart }: Event): Promise<boolean> {
  const [row] = await tx.execute<{ can: boolean }>(
    sql`select ${saleStart.toISOString()}::timestamptz > now() - interval '24 hours' as can`,
  )
  return row?.can === true
}

/**
 * Payments are judged anew, and blocks that were scanned for other terms are read again. A scan that has not
 * reached the sale start yet goes on from where it is, so no late payment of the event before is skipped.
 */
async function rereadSale(tx: Db, event: Event, isOtherChain: boolean): Promise<void> {
  const ofSale = and(eq(payments.eventNumber, event.number), gte(payments.blockTime, event.saleStart))
  await takeBack(tx, ofSale)
  const cursor = await getScanCursor(tx)
  if (cursor && (isOtherChain || cursor.blockTime >= event.saleStart)) await rewindCursor(tx, undefined)
}

/** When the first event's sale began at first, if that was moved since. */
export async function firstSaleStart(db: Db): Promise<Date | undefined> {
  const [moved] = await db
    .select({ from: changes.from })
    .from(changes)
    .where(and(eq(changes.eventNumber, 1), eq(changes.field, 'saleStart')))
    .orderBy(asc(changes.id))
    .limit(1)
  return moved?.from ? new Date(moved.from) : undefined
}
