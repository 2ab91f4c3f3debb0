import { and, desc, eq, getTableColumns, gt, inArray, lt, not, or, type SQL, sql } from 'drizzle-orm'
import { judgePayment } from '../../core/payment/judge.ts'
import { type FoundPayment, keyOf, lineOf } from '../../core/payment/payment.ts'
import { type Event, getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { type Cursor, getScanCursor, rewindCursor } from '../event/sale.ts'
import { addChange, bumpVersion, setState } from '../event/terms.ts'
import { type Db, isOneOf } from '../index.ts'
import { claims, payments } from '../schema/index.ts'
import { resolveClaims } from './claims.ts'
import { type BlockEnd, foldRange, getSaleRules, isAmong, recordFound } from './fold.ts'
import { hashesOf, isFixed, notRecorded } from './second-reading.ts'

/** Blocks with payments between two, newest first: candidates still to be canonical. Lines of frozen lists stay where they were, and say nothing. */
export async function paymentBlocks(
  db: Db,
  { above, below }: { above: bigint; below: bigint },
  limit: number,
): Promise<Cursor[]> {
  const event = await getOpenEvent(db)
  if (!event) return []
  return db
    .selectDistinctOn([payments.blockNumber], {
      height: payments.blockNumber,
      hash: payments.blockHash,
      blockTime: payments.blockTime,
    })
    .from(payments)
    .where(and(lt(payments.blockNumber, below), gt(payments.blockNumber, above), not(isFixed(event))))
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
  const isOver = event.ending !== null
  await setState(tx, event, {
    ticketsSold: sql`tickets_of(${event.number})`,
    ...(!isOver && { haltedAt: sql`now()` }),
  })
  await addChange(tx, event.number, 'ledger', `${event.ticketsSold}`, `folded anew: ${why}`)
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
    .where(isOneOf(claims.transactionHash, hashes))
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

/** What a mend did: `gone` are rows without a ticket that the chain does not have. */
export type Mended = 'folded anew' | 'missed' | 'gone'
type Proven = { before: Cursor; end: BlockEnd; found: readonly FoundPayment[]; why: string }

/**
 * Makes the record what a folded block is proven to hold. Before the freeze the list is folded anew from it. A frozen list stays:
 * a payment that it lacks is missed, and of its lines that the block does not hold it is `open` whether the chain has them.
 * `isWrong` where anything stood otherwise on record.
 */
export async function mend(
  db: Db,
  { before, end, found, why }: Proven,
): Promise<{ isWrong: boolean; done: Mended[]; open: Line[] }> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (!event || !cursor || cursor.height < end.number) return { isWrong: false, done: [], open: [] }
    const gone = await contradicted(tx, event, end.number, found)
    const free = gone.filter(({ isFixed }) => !isFixed)
    if (!event.frozenAt && (free.length > 0 || (await isOnList(tx, await notRecorded(tx, found))))) {
      await goBack(tx, event, before, why)
      await foldRange(tx, before, end, found)
      return { isWrong: true, done: ['folded anew'], open: [] }
    }
    const done = new Set<Mended>()
    if (free.length > 0)
      await takeBack(
        tx,
        inArray(
          payments.id,
          free.map(({ id }) => id),
        ),
      )
    const written = await recordFound(tx, found)
    if (written.length > 0) done.add('missed')
    const known = new Set(found.map(keyOf))
    for (const { eventNumber, transactionHash } of free.filter((row) => !known.has(keyOf(row)))) {
      done.add('gone')
      if (eventNumber !== null) await addChange(tx, eventNumber, 'ledger', null, `gone: ${transactionHash}`)
    }
    const open = gone.filter((line) => line.isFixed && !isAmong(found, line))
    if (done.size > 0) await bumpVersion(tx)
    return { isWrong: gone.length + written.length > 0, done: [...done], open }
  })
}

export type Line = typeof payments.$inferSelect

const isLostNow = sql`(${payments.lostAt} is not null and ${payments.foundAt} is null)`

/** So many lines of frozen lists, whichever, that the chain had lost when it was last asked. */
export const lostLines = (db: Db, limit: number): Promise<Line[]> =>
  db.select().from(payments).where(isLostNow).orderBy(sql`random()`).limit(limit)

/**
 * In public: a line of a frozen list that the chain has lost is not owed, until it is found again. That it was once lost before the
 * draw date stays the cause of refunds. True if this is news to `line`, as it was read before the chain was asked.
 */
export async function tellLine(db: Db, line: Line, what: 'lost' | 'found'): Promise<boolean> {
  const isLost = what === 'lost'
  if (isLost === (line.lostAt !== null && line.foundAt === null)) return false
  return db.transaction(async (tx) => {
    await lockOpenEvent(tx)
    const set = isLost
      ? { lostAt: sql`coalesce(lost_at, next_moment())`, foundAt: null }
      : { foundAt: sql`now()` }
    const stands = isLost ? not(isLostNow) : isLostNow
    const { count } = await tx
      .update(payments)
      .set(set)
      .where(and(eq(payments.id, line.id), stands))
    if (count === 0) return false
    if (line.eventNumber !== null)
      await addChange(tx, line.eventNumber, 'ledger', null, `${what}: ${line.transactionHash}`)
    await bumpVersion(tx)
    return true
  })
}

/** Rows that a block's proof contradicts: of this block, and once the list is frozen, of its transactions in others. */
async function contradicted(tx: Db, event: Event, block: bigint, found: readonly FoundPayment[]) {
  const told = new Set(found.map(lineOf))
  const hashes = event.frozenAt ? hashesOf(found) : []
  const rows = await tx
    .select({ ...getTableColumns(payments), isFixed: isFixed(event) })
    .from(payments)
    .where(or(eq(payments.blockNumber, block), isOneOf(payments.transactionHash, hashes)))
  return rows.filter((row) => !told.has(lineOf(row)))
}

async function isOnList(tx: Db, found: readonly FoundPayment[]): Promise<boolean> {
  const rules = await getSaleRules(tx)
  return found.some((payment) => judgePayment(payment, payment.blockTime, rules).status === 'credited')
}
