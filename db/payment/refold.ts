import { and, desc, eq, gt, gte, lt, or, sql } from 'drizzle-orm'
import { addChange } from '../event/changes.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { beginRefundMode } from '../event/outcome.ts'
import { getScanCursor, rewindCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { draws, events, payments } from '../schema/index.ts'
import { voidPayments } from './void.ts'

/** Blocks with payments before `below`, newest first: candidates still to be canonical. */
export async function paymentBlocks(db: Db, below: bigint, limit: number): Promise<ScanCursor[]> {
  return db
    .selectDistinctOn([payments.blockNumber], {
      height: payments.blockNumber,
      hash: payments.blockHash,
      blockTime: payments.blockTime,
    })
    .from(payments)
    .where(and(lt(payments.blockNumber, below), notBeforeSales))
    .orderBy(desc(payments.blockNumber))
    .limit(limit)
}

/**
 * Takes back every payment of the open event after block `to` (undefined: all of them) and puts the cursor
 * there, so that the scan refolds the event from the next block. After a reorg also those of earlier events that have no
 * ticket: the scan finds them again, or they are gone. If a ticket was among them, or for a hole, the change is
 * listed in public, and sales wait for an administrator. A frozen ledger opens again before the draw date; after it
 * the event enters refund mode. A draw is never undone: its tickets stay. Undefined, with nothing changed, if the
 * cursor is no longer `from`, or for a hole in a drawn event.
 */
export async function takeBack(
  db: Db,
  from: ScanCursor,
  to: ScanCursor | undefined,
  why: { text: string; isHole: boolean },
): Promise<{ eventNumber: number; payments: number } | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (!event || cursor?.height !== from.height || cursor.hash !== from.hash) return undefined
    const [drawn] = await tx
      .select({ n: draws.eventNumber })
      .from(draws)
      .where(eq(draws.eventNumber, event.number))
    if (drawn && why.isHole) return undefined
    const ofEvent = and(eq(payments.eventNumber, event.number), notBeforeSales)
    const which = and(
      why.isHole ? ofEvent : or(ofEvent, eq(payments.status, 'rejected')),
      drawn && eq(payments.status, 'rejected'),
      to
        ? gt(payments.blockNumber, to.height)
        : and(notBeforeSales, why.isHole ? gte(payments.blockTime, event.saleStart) : undefined),
    )
    const taken = await voidPayments(tx, which, why.text)
    await rewindCursor(tx, to)
    const tickets = taken.reduce((sum, payment) => sum + payment.ticketCount, 0)
    if (drawn) await addChange(tx, event.number, 'ledger', null, `kept as drawn: ${why.text}`)
    else if (tickets > 0 || why.isHole) await halt(tx, event, event.ticketsSold - tickets, why.text)
    await bumpVersion(tx)
    return { eventNumber: event.number, payments: taken.length }
  })
}

/** Not from before the first sale, where the scan never reads. */
const notBeforeSales = sql`${payments.reason} is distinct from 'early'`

/**
 * The ledger of the open event is not what was published: it opens again before the draw date, after it the event
 * enters refund mode. The caller holds the event's lock.
 */
export async function halt(tx: Db, event: Event, ticketsSold: number, why: string): Promise<void> {
  const [row] = await tx.execute<{ past: boolean | null }>(
    sql`select draw_date <= now() as past from ${events} where number = ${event.number}`,
  )
  await tx
    .update(events)
    .set({
      ticketsSold,
      haltedAt: sql`now()`,
      frozenAt: null,
      ledgerSha256: null,
      ledgerLines: null,
      terms: null,
      termsSha256: null,
      revision: sql`${events.revision} + 1`,
    })
    .where(eq(events.number, event.number))
  await addChange(tx, event.number, 'ledger', `${event.ticketsSold} tickets`, `folded anew: ${why}`)
  await addChange(tx, event.number, 'sales', 'open', 'halted')
  if (event.frozenAt !== null && row?.past === true && event.refundModeAt === null)
    await beginRefundMode(tx, event, 'ledger')
}
