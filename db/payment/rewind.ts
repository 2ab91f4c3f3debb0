import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { judgePayment } from '../../core/payment/judge.ts'
import { type FoundPayment, lineOf } from '../../core/payment/payment.ts'
import { type Event, lockOpenEvent, newestMoment } from '../event/events.ts'
import { beginRefundMode, type Cursor, getEnding, getScanCursor, rewindCursor } from '../event/sale.ts'
import { addChange, bumpVersion, setState } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/index.ts'
import { type BlockEnd, foldRange, getSaleRules, notRecorded, recordFound } from './fold.ts'

/** Blocks with payments between two, newest first: candidates still to be canonical. */
export async function paymentBlocks(
  db: Db,
  { above, below }: { above: bigint; below: bigint },
  limit: number,
): Promise<Cursor[]> {
  return db
    .selectDistinctOn([payments.blockNumber], {
      height: payments.blockNumber,
      hash: payments.blockHash,
      blockTime: payments.blockTime,
    })
    .from(payments)
    .where(and(lt(payments.blockNumber, below), gt(payments.blockNumber, above)))
    .orderBy(desc(payments.blockNumber))
    .limit(limit)
}

/** Undefined `to`: before the first block. Returns how many payments were taken back; undefined if another worker was first. */
export async function rewind(db: Db, from: Cursor, to: Cursor | undefined, why: string) {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (!event || cursor?.height !== from.height || cursor.hash !== from.hash) return undefined
    return goBack(tx, event, to, why)
  })
}

/**
 * The one mend of every difference between records and chain: takes back what lies above `to`, but the lines of a frozen list,
 * in public, and pauses the sale until it was read again. The caller holds the event's lock.
 */
async function goBack(tx: Db, event: Event, to: Cursor | undefined, why: string): Promise<number> {
  const above = to && gt(payments.blockNumber, to.height)
  const taken = await takeBack(tx, and(above, isFree(event)))
  await rewindOutgoing(tx, to)
  await rewindCursor(tx, to)
  const isOver = (await getEnding(tx, event.number)) !== undefined
  await setState(tx, event, {
    ticketsSold: sql`tickets_of(${event.number})`,
    ...(!isOver && { haltedAt: sql`now()` }),
  })
  await addChange(tx, event.number, 'ledger', event.ticketsSold, `folded anew: ${why}`)
  if (!isOver && !event.haltedAt) await addChange(tx, event.number, 'sales', 'open', 'halted')
  await bumpVersion(tx)
  return taken
}

/** Not on the list of an event whose list is frozen. */
const isFree = ({ number, frozenAt }: Event): SQL | undefined =>
  or(isNull(payments.ticketNumber), frozenAt ? undefined : eq(payments.eventNumber, number))

/** On the list of an archived event: it stays as it was told, wherever a reorg has moved the payment since. */
const isKept = (
  { ticketNumber, eventNumber }: Pick<typeof payments.$inferSelect, 'ticketNumber' | 'eventNumber'>,
  { number }: Pick<Event, 'number'>,
): boolean => ticketNumber !== null && eventNumber !== number

/** Their claims are open again: the scan or the verification resolves them. Returns how many they were. */
export async function takeBack(tx: Db, which: SQL | undefined): Promise<number> {
  const taken = await tx.delete(payments).where(which).returning({ hash: payments.transactionHash })
  await tx
    .update(claims)
    .set({ status: 'received', reason: null, nextAttemptAt: sql`now()` })
    .where(sql`${claims.transactionHash} = any(${sql.param(taken.map(({ hash }) => hash))}::text[])`)
  return taken.length
}

/** What other rooms have read of the blocks above `to`; rules.sql knows which tables hold it. @internal */
export async function rewindOutgoing(tx: Db, to: Cursor | undefined): Promise<void> {
  const { height = null, hash = null, blockTime } = to ?? {}
  await tx.execute(
    sql`select rewind_outgoing(${height}::bigint, ${hash}::text, ${blockTime?.toISOString() ?? null}::timestamptz)`,
  )
}

/**
 * What a folded block is proven to hold. Before the freeze the list is folded anew from it. After it nothing enters or leaves:
 * a payment is missed, a lost line is listed and ends the event in refunds while its draw block lies ahead. Undefined where the
 * record was right.
 */
export async function mend(
  db: Db,
  { before, end, found, why }: { before: Cursor; end: BlockEnd; found: readonly FoundPayment[]; why: string },
): Promise<'folded anew' | 'missed' | 'lost' | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (!event || !cursor || cursor.height < end.number) return undefined
    const told = new Set(found.map(lineOf))
    const recorded = await tx.select().from(payments).where(eq(payments.blockNumber, end.number))
    const gone = recorded.filter((payment) => !told.has(lineOf(payment)) && !isKept(payment, event))
    const fresh = await notRecorded(tx, found)
    if (!event.frozenAt && (gone.length > 0 || (await isOnList(tx, fresh)))) {
      await goBack(tx, event, before, why)
      await foldRange(tx, before, end, found)
      return 'folded anew'
    }
    const written = await recordFound(tx, fresh)
    const lost = gone.filter(({ ticketNumber }) => ticketNumber !== null)
    for (const { transactionHash } of lost) await loseLine(tx, event, transactionHash)
    if (written.length + lost.length === 0) return undefined
    await bumpVersion(tx)
    return lost.length > 0 ? 'lost' : 'missed'
  })
}

async function isOnList(tx: Db, found: readonly FoundPayment[]): Promise<boolean> {
  const rules = await getSaleRules(tx)
  return found.some((payment) => judgePayment(payment, payment.blockTime, rules).status === 'credited')
}

async function loseLine(tx: Db, event: Event, hash: Hash): Promise<void> {
  await addChange(tx, event.number, 'ledger', null, `lost: ${hash}`)
  if (event.drawDate && event.drawDate > (await newestMoment(tx))) await beginRefundMode(tx, event, 'ledger')
}
