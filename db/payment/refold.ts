import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { addChange } from '../event/changes.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { beginRefundMode } from '../event/outcome.ts'
import { getScanCursor, rewindCursor, type ScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { lockRefunds } from '../refund/accounts.ts'
import { recountRows, rowsOfPayments } from '../refund/links.ts'
import { claims, draws, events, payments, voidedPayments } from '../schema/index.ts'

/** Blocks with payments of the open event before `below`, newest first: candidates still to be canonical. */
export async function paymentBlocks(db: Db, below: bigint, limit: number): Promise<ScanCursor[]> {
  return db
    .selectDistinctOn([payments.blockNumber], {
      height: payments.blockNumber,
      hash: payments.blockHash,
      blockTime: payments.blockTime,
    })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), sql`${events.archivedAt} is null`))
    .where(lt(payments.blockNumber, below))
    .orderBy(desc(payments.blockNumber))
    .limit(limit)
}

/**
 * Takes back every payment of the open event after block `to` (undefined: all of them) and puts the cursor
 * there, so that the scan refolds the event from the next block. The change is listed in public, and sales
 * wait for an administrator. A frozen ledger opens again before the draw date; after it the event enters
 * refund mode. Undefined if the cursor is no longer `from`, or the event is drawn: a draw is never undone.
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
    if (drawn) return undefined
    const after = and(
      eq(payments.eventNumber, event.number),
      gte(payments.blockNumber, to ? to.height + 1n : 0n),
    )
    const taken = await voidPayments(tx, after, why.text)
    await rewindCursor(tx, to)
    const ticketsSold = event.ticketsSold - taken.reduce((sum, payment) => sum + payment.ticketCount, 0)
    if (taken.length > 0 || why.isHole) await halt(tx, event, ticketsSold, why.text)
    await bumpVersion(tx)
    return { eventNumber: event.number, payments: taken.length }
  })
}

/**
 * Takes payments off the record, to be judged anew when the scan finds them again; refund rows that had them remember it.
 * The caller holds the event's lock and moves the cursor.
 */
export async function voidPayments(tx: Db, which: SQL | undefined, why: string) {
  await lockRefunds(tx)
  const rowIds = await rowsOfPayments(tx, which)
  const taken = await tx.delete(payments).where(which).returning()
  for (const payment of taken)
    await tx.insert(voidedPayments).values({
      transactionHash: payment.transactionHash,
      payer: payment.payer,
      wallet: payment.wallet,
      eventNumber: payment.eventNumber,
      units: payment.units,
      blockNumber: payment.blockNumber,
      blockHash: payment.blockHash,
      ticketNumber: payment.ticketNumber,
      ticketCount: payment.ticketCount,
      refundRowId: rowIds.get(payment.id) ?? null,
      why,
    })
  await recountRows(tx, [...new Set(rowIds.values())])
  await reopenClaims(
    tx,
    taken.map((payment) => payment.transactionHash),
  )
  return taken
}

async function halt(tx: Db, event: Event, ticketsSold: number, why: string): Promise<void> {
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

/** Reopens claims whose payments were taken back; the scan or the verification resolves them again. */
async function reopenClaims(tx: Db, hashes: readonly Hash[]): Promise<void> {
  await tx
    .update(claims)
    .set({ status: 'received', reason: null, nextAttemptAt: sql`now()` })
    .where(sql`${claims.transactionHash} = any(${sql.param([...hashes])}::text[])`)
}
