import { eq, sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'
import { addChange } from './changes.ts'
import { type Event, getEvent, lockOpenEvent, mustLockEvent } from './events.ts'
import { beginRefundMode } from './outcome.ts'
import { hasEnded, newestMoment } from './update.ts'
import { bumpVersion } from './version.ts'

/**
 * Lets the page sell once a block at or after the sale start was seen (`newestTime`, seconds): with the database's clock ahead
 * of the chain, what is paid before would get no ticket. True if this call did it.
 */
export async function beginSale(db: Db, newestTime: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const begun = await tx
      .update(events)
      .set({ openedAt: sql`now()` })
      .where(
        sql`${events.archivedAt} is null and ${events.openedAt} is null and ${events.saleStart} <= to_timestamp(${newestTime})`,
      )
      .returning({ number: events.number })
    if (begun.length > 0) await bumpVersion(tx)
    return begun.length > 0
  })
}

/**
 * Ends the sale into refunds, and lists it: whoever must not draw, as after a mistyped wallet, pays everybody back. Throws
 * EVENT_LOCKED from the sale end on.
 */
export async function stopSale(db: Db): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (hasEnded(event, await newestMoment(tx)) || event.refundModeAt)
      throw new RaffleError('EVENT_LOCKED', 'The sale has ended already.')
    return stopNow(tx, event)
  })
}

/** As stopSale, of an event whose sale is open. The caller holds the event's lock. */
export async function stopNow(tx: Db, event: Event): Promise<Event> {
  await endSaleNow(tx, event)
  await beginRefundMode(tx, event, 'stopped')
  return (await getEvent(tx, event.number)) as Event
}

/** The sale ends in the next second, and the event will not be drawn. The caller holds the event's lock. */
export async function endSaleNow(tx: Db, event: Event): Promise<void> {
  await tx.execute(sql`select stop_sale(${event.number}::int)`)
  await addChange(tx, event.number, 'sales', 'open', 'stopped')
  await bumpVersion(tx)
}

/** Resumes sales after the ledger was refolded. False if they were not halted. */
export async function resumeSales(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event?.haltedAt) return false
    await tx.update(events).set({ haltedAt: null }).where(eq(events.number, event.number))
    await addChange(tx, event.number, 'sales', 'halted', 'open')
    await bumpVersion(tx)
    return true
  })
}
