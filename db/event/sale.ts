import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { type Db, readClock } from '../index.ts'
import { endings, events, house, operatorWallets, scanCursor } from '../schema/index.ts'
import { type Event, getEvent, hasEnded, lockOpenEvent, mustLockEvent, newestMoment } from './events.ts'
import { expectOpenHouse } from './shut.ts'
import { addChange, bumpVersion } from './terms.ts'

/** After a block since the sale start (`newestTime`, seconds): what is paid before gets no ticket. True if this call did it. */
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

/** Ends the sale into refunds: whoever must not draw pays everybody back. Throws EVENT_LOCKED from the sale end on. */
export async function stopSale(db: Db): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (hasEnded(event, await newestMoment(tx)) || event.refundModeAt)
      throw new RaffleError('EVENT_LOCKED', { reason: 'ended' })
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

const mostBehindSeconds = 600

export type ScanCursor = { height: bigint; hash: Hash; blockTime: Date; newestBlockTime?: Date | null }

export async function getScanCursor(db: Db): Promise<ScanCursor | undefined> {
  const [row] = await db.select().from(scanCursor)
  return row
}

/** The time of the last folded block; after an hour without one the database's clock. A column of scan_cursor's row. */
export const reachedTime = (asksClock = true): SQL => sql`
  greatest(${scanCursor.blockTime}, case when ${asksClock} and ${scanCursor.updatedAt} < clock_timestamp() - interval '1 hour'
    then clock_timestamp() end)`

/** True while the last block that was folded is so old that a word given now cannot be dated by it. */
export async function isFarBehind(db: Db, { blockTime }: Pick<ScanCursor, 'blockTime'>): Promise<boolean> {
  return (await readClock(db)) - blockTime.getTime() / 1000 > mostBehindSeconds
}

/** False when another worker was faster: the caller rolls back, so a range is folded once. */
export async function advanceCursor(tx: Db, before: ScanCursor | undefined, after: ScanCursor) {
  const { height, hash, blockTime } = after
  const values = { height, hash, blockTime, updatedAt: sql`now()` }
  const rows = before
    ? await tx
        .update(scanCursor)
        .set(values)
        .where(sql`${scanCursor.height} = ${before.height} and ${scanCursor.hash} = ${before.hash}`)
        .returning({ id: scanCursor.id })
    : await tx
        .insert(scanCursor)
        .values({ id: 1, ...values })
        .onConflictDoNothing()
        .returning({ id: scanCursor.id })
  return rows.length === 1
}

/** In seconds; no draw date may end a sale before it. Goes back only from a time after `notAfter`, which no block can have. */
export async function noteNewestBlock(
  db: Db,
  { timestamp, notAfter }: { timestamp: number; notAfter: number },
): Promise<void> {
  const [time, bound] = [timestamp, notAfter].map((seconds) => sql`to_timestamp(${seconds})`)
  await db
    .update(scanCursor)
    .set({ newestBlockTime: sql`${time}` })
    .where(
      sql`coalesce(${scanCursor.newestBlockTime}, 'epoch') < ${time} or ${scanCursor.newestBlockTime} > ${bound}`,
    )
}

/** To a block that is still canonical; undefined: to before the first one. The caller has removed the payments after it. */
export async function rewindCursor(tx: Db, to: ScanCursor | undefined): Promise<void> {
  if (to) {
    const { height, blockTime } = to
    // A sale that has ended on chain does not begin again: what came behind its end may be on its way back.
    const newestBlockTime = sql`greatest(${scanCursor.newestBlockTime}, ${scanCursor.blockTime})`
    await tx
      .update(scanCursor)
      .set({ height, hash: to.hash, blockTime, newestBlockTime, updatedAt: sql`now()` })
    await tx
      .update(events)
      .set({ readTwiceTo: height, readTwiceTime: blockTime, readTwiceFailedAt: null })
      .where(and(isNull(events.archivedAt), gt(events.readTwiceTo, height)))
  } else {
    await tx.delete(scanCursor)
    await tx
      .update(events)
      .set({ readTwiceTo: null, readTwiceTime: null, readTwiceFailedAt: null })
      .where(isNull(events.archivedAt))
  }
}

/** The wallet of event 1 of which nobody knows yet whether it has served another house. */
export async function unreadWallet(db: Db): Promise<Address | undefined> {
  const [row] = await db
    .select({ wallet: operatorWallets.address })
    .from(events)
    .innerJoin(operatorWallets, eq(operatorWallets.address, events.operatorWallet))
    .where(and(eq(events.number, 1), isNull(events.archivedAt), isNull(operatorWallets.booksReadAt)))
  return row?.wallet
}

/** The register was asked once; where it knows the wallet under another book, the house is shut until somebody has typed that it may open. */
export async function noteBooks(db: Db, wallet: Address, knowsOther: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    const read = await tx
      .update(operatorWallets)
      .set({ booksReadAt: sql`now()` })
      .where(and(eq(operatorWallets.address, wallet), isNull(operatorWallets.booksReadAt)))
      .returning({ wallet: operatorWallets.address })
    if (knowsOther && read.length > 0)
      await tx.update(house).set({
        shutSince: sql`coalesce(${house.shutSince}, now())`,
        version: sql`${house.version} + 1`,
      })
  })
}

type Ending = { kind: 'drawn' } | { kind: 'refunds'; reason: RefundCause }

/** The event's number is the row's key, so it ends once, in one way: false if it has already. The caller holds its lock. */
export async function recordEnding(tx: Db, eventNumber: number, ending: Ending): Promise<boolean> {
  await expectOpenHouse(tx)
  const rows = await tx
    .insert(endings)
    .values({ eventNumber, ...ending })
    .onConflictDoNothing()
    .returning({ eventNumber: endings.eventNumber })
  return rows.length === 1
}

export async function getEnding(db: Db, eventNumber: number) {
  const [row] = await db.select().from(endings).where(eq(endings.eventNumber, eventNumber))
  return row
}

/** Puts an event into refund mode and lists it. False if the event has an ending already. */
export async function beginRefundMode(tx: Db, { number }: Pick<Event, 'number'>, reason: RefundCause) {
  if (!(await recordEnding(tx, number, { kind: 'refunds', reason }))) return false
  await tx
    .update(events)
    .set({ revision: sql`${events.revision} + 1` })
    .where(eq(events.number, number))
  await addChange(tx, number, 'refundMode', null, 'on')
  await bumpVersion(tx)
  return true
}
