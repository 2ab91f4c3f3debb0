import { and, desc, eq, getTableColumns, gt, inArray, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { judgePayment } from '../../core/payment/judge.ts'
import { type FoundPayment, lineOf } from '../../core/payment/payment.ts'
import { type Event, getOpenEvent, lockOpenEvent, newestMoment } from '../event/events.ts'
import { beginRefundMode, type Cursor, getEnding, getScanCursor, rewindCursor } from '../event/sale.ts'
import { addChange, bumpVersion, setState } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/index.ts'
import { resolveClaims } from './claims.ts'
import { type BlockEnd, foldRange, getSaleRules, notRecorded, recordFound } from './fold.ts'
import { isFixed, toldLines } from './second-reading.ts'

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
  const taken = await takeBack(tx, and(above, not(isFixed(event))))
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

/** Their claims are open again: the scan or the verification resolves them. Returns how many they were. */
export async function takeBack(tx: Db, which: SQL | undefined): Promise<number> {
  const taken = await tx.delete(payments).where(which).returning({ hash: payments.transactionHash })
  const hashes = taken.map(({ hash }) => hash)
  await tx
    .update(claims)
    .set({ status: 'received', reason: null, nextAttemptAt: sql`now()` })
    .where(sql`${claims.transactionHash} = any(${sql.param(hashes)}::text[])`)
  // Another payer of the transaction may be on a list that stays.
  await resolveClaims(tx, hashes)
  return taken.length
}

/** What other rooms have read of the blocks above `to`; rules.sql knows which tables hold it. @internal */
export async function rewindOutgoing(tx: Db, to: Cursor | undefined): Promise<void> {
  const { height = null, hash = null, blockTime } = to ?? {}
  await tx.execute(
    sql`select rewind_outgoing(${height}::bigint, ${hash}::text, ${blockTime?.toISOString() ?? null}::timestamptz)`,
  )
}

/** Whether the chain has the payment of a frozen list's line that its block does not hold. */
export type Place = 'lost' | 'moved'
type Proven = { before: Cursor; end: BlockEnd; found: readonly FoundPayment[]; why: string }

/**
 * What a folded block is proven to hold. Before the freeze the list is folded anew from it. A frozen list stays: a payment that
 * it lacks is missed, and a line that the block lacks is told in public by its place, once. Undefined where nothing was written.
 */
export async function mend(
  db: Db,
  { before, end, found, why, places = new Map() }: Proven & { places?: ReadonlyMap<Hash, Place> },
): Promise<'folded anew' | 'missed' | Place | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (!event || !cursor || cursor.height < end.number) return undefined
    const gone = await goneFrom(tx, event, end.number, found)
    const free = gone.filter(({ isFixed }) => !isFixed)
    const fresh = await notRecorded(tx, found)
    const lines = await tellLines(tx, event, gone, places)
    if (!event.frozenAt && (free.length > 0 || (await isOnList(tx, fresh)))) {
      await goBack(tx, event, before, why)
      await foldRange(tx, before, end, found)
      return 'folded anew'
    }
    const written = await recordFound(tx, fresh)
    const ids = free.map(({ id }) => id)
    if (ids.length > 0) await takeBack(tx, inArray(payments.id, ids))
    if (written.length + ids.length + lines.length === 0) return undefined
    await bumpVersion(tx)
    return lines.includes('lost') ? 'lost' : (lines[0] ?? 'missed')
  })
}

/** Lines of frozen lists that a block is to hold, is proven not to, and of which nothing was told yet. */
export async function missingLines(db: Db, block: bigint, found: readonly FoundPayment[]): Promise<Hash[]> {
  const event = await getOpenEvent(db)
  if (!event) return []
  const fixed = (await goneFrom(db, event, block, found)).filter(({ isFixed }) => isFixed)
  const told = await toldLines(db, fixed)
  return fixed.flatMap(({ transactionHash }) => (told.has(transactionHash) ? [] : transactionHash))
}

async function goneFrom(db: Db, event: Event, block: bigint, found: readonly FoundPayment[]) {
  const told = new Set(found.map(lineOf))
  const recorded = await db
    .select({ ...getTableColumns(payments), isFixed: isFixed(event) })
    .from(payments)
    .where(eq(payments.blockNumber, block))
  return recorded.filter((payment) => !told.has(lineOf(payment)))
}

/** A lost line ends its event in refunds while the draw block lies ahead. */
async function tellLines(
  tx: Db,
  event: Event,
  gone: Awaited<ReturnType<typeof goneFrom>>,
  places: ReadonlyMap<Hash, Place>,
): Promise<Place[]> {
  const told = await toldLines(tx, gone)
  const lines: Place[] = []
  for (const { transactionHash: hash, eventNumber } of gone) {
    const place = places.get(hash)
    if (!place || !eventNumber || told.has(hash)) continue
    told.add(hash)
    lines.push(place)
    await addChange(tx, eventNumber, 'ledger', null, `${place}: ${hash}`)
    const isAhead = event.drawDate !== null && event.drawDate > (await newestMoment(tx))
    if (place === 'lost' && eventNumber === event.number && isAhead)
      await beginRefundMode(tx, event, 'ledger')
  }
  return lines
}

async function isOnList(tx: Db, found: readonly FoundPayment[]): Promise<boolean> {
  const rules = await getSaleRules(tx)
  return found.some((payment) => judgePayment(payment, payment.blockTime, rules).status === 'credited')
}
