import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { type Db, readClock } from '../index.ts'
import { cursors, endings, events, house, operatorWallets } from '../schema/index.ts'
import { type Event, getEvent, lockOpenEvent, mustLockEvent } from './events.ts'
import { expectOpenHouse } from './shut.ts'
import { addChange, bumpVersion, setState } from './terms.ts'

/** After a block since the sale start (`newestTime`, seconds): what is paid before gets no ticket. True if this call did it. */
export async function beginSale(db: Db, newestTime: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { count: begun } = await tx
      .update(events)
      .set({ openedAt: sql`now()` })
      .where(
        sql`${events.archivedAt} is null and ${events.openedAt} is null and ${events.saleStart} <= to_timestamp(${newestTime})`,
      )
    if (begun > 0) await bumpVersion(tx)
    return begun > 0
  })
}

/** Ends the sale into refunds: whoever must not draw pays everybody back. Throws EVENT_LOCKED from the sale end on. */
export async function stopSale(db: Db): Promise<Event> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (event.hasEnded || event.refundModeAt) throw new RaffleError('EVENT_LOCKED', { reason: 'ended' })
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

export type Cursor = { height: bigint; hash: Hash; blockTime: Date; newestBlockTime?: Date | null }
type CursorName = typeof cursors.$inferSelect.name

export async function getCursor(db: Db, name: CursorName): Promise<Cursor | undefined> {
  const [row] = await db.select().from(cursors).where(eq(cursors.name, name))
  return row
}

/** That of the last folded block. */
export const getScanCursor = (db: Db): Promise<Cursor | undefined> => getCursor(db, 'payments')

/** True while the last block that was folded is so old that a word given now cannot be dated by it. */
export async function isFarBehind(db: Db, { blockTime }: Pick<Cursor, 'blockTime'>): Promise<boolean> {
  return (await readClock(db)) - blockTime.getTime() / 1000 > mostBehindSeconds
}

/** False when another worker was faster: the caller rolls back, so a range is folded once. */
export async function advanceCursor(
  tx: Db,
  name: CursorName,
  before: Cursor | undefined,
  { height, hash, blockTime }: Cursor,
): Promise<boolean> {
  const values = { height, hash, blockTime, updatedAt: sql`now()` }
  const { count: moved } = before
    ? await tx
        .update(cursors)
        .set(values)
        .where(
          sql`${cursors.name} = ${name} and ${cursors.height} = ${before.height} and ${cursors.hash} = ${before.hash}`,
        )
    : await tx
        .insert(cursors)
        .values({ name, ...values })
        .onConflictDoNothing()
  return moved === 1
}

/** In seconds; no draw date may end a sale before it. Goes back only from a time after `notAfter`, which no block can have. */
export async function noteNewestBlock(
  db: Db,
  { timestamp, notAfter }: { timestamp: number; notAfter: number },
): Promise<void> {
  const [time, bound] = [timestamp, notAfter].map((seconds) => sql`to_timestamp(${seconds})`)
  await db
    .update(cursors)
    .set({ newestBlockTime: sql`${time}` })
    .where(
      sql`${cursors.name} = 'payments'
        and (coalesce(${cursors.newestBlockTime}, 'epoch') < ${time} or ${cursors.newestBlockTime} > ${bound})`,
    )
}

/** To a block that is still canonical; undefined: to before the first one. The caller has removed the payments after it. */
export async function rewindCursor(tx: Db, to: Cursor | undefined): Promise<void> {
  const isIt = eq(cursors.name, 'payments')
  const { height = null, blockTime = null } = to ?? {}
  if (to) {
    // A sale that has ended on chain does not begin again: what came behind its end may be on its way back.
    const newestBlockTime = sql`greatest(${cursors.newestBlockTime}, ${cursors.blockTime})`
    await tx
      .update(cursors)
      .set({
        height: to.height,
        hash: to.hash,
        blockTime: to.blockTime,
        newestBlockTime,
        updatedAt: sql`now()`,
      })
      .where(isIt)
  } else await tx.delete(cursors).where(isIt)
  await tx
    .update(events)
    .set({ readTwiceTo: height, readTwiceTime: blockTime, readTwiceFailedAt: null })
    .where(and(isNull(events.archivedAt), to && gt(events.readTwiceTo, to.height)))
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
    const { count: read } = await tx
      .update(operatorWallets)
      .set({ booksReadAt: sql`now()` })
      .where(and(eq(operatorWallets.address, wallet), isNull(operatorWallets.booksReadAt)))
    if (knowsOther && read > 0)
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
  const { count: added } = await tx
    .insert(endings)
    .values({ eventNumber, ...ending })
    .onConflictDoNothing()
  return added === 1
}

export async function getEnding(db: Db, eventNumber: number) {
  const [row] = await db.select().from(endings).where(eq(endings.eventNumber, eventNumber))
  return row
}

/** Puts an event into refund mode and lists it. False if the event has an ending already. */
export async function beginRefundMode(tx: Db, event: Pick<Event, 'number'>, reason: RefundCause) {
  if (!(await recordEnding(tx, event.number, { kind: 'refunds', reason }))) return false
  await setState(tx, event, {})
  await addChange(tx, event.number, 'refundMode', null, 'on')
  await bumpVersion(tx)
  return true
}
