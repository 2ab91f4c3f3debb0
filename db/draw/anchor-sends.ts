import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { countingAnchors } from '../../core/draw/anchored.ts'
import { type Event, getOpenEvent, lockOpenEvent } from '../event/events.ts'
import { setTerms } from '../event/set-terms.ts'
import { hasEnded, newestMoment } from '../event/update.ts'
import type { Db } from '../index.ts'
import { anchorSends, draws, operatorWallets } from '../schema/index.ts'
import { commitmentOfEvent, listAnchors } from './anchors.ts'

export type AnchorSend = typeof anchorSends.$inferSelect
/** `ageMs`: since it was written down, just before it was sent first. */
export type LastSend = AnchorSend & { ageMs: number }
/** What a transaction of the anchor key is for: null is the register itself. */
export type SendPurpose = { eventNumber: number; commitment: Hex } | null

/** True where this wallet takes or sends money of the raffle: its key belongs on no server. */
export async function isMoneyWallet(db: Db, wallet: Address): Promise<boolean> {
  const [row] = await db.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  return row !== undefined
}

/**
 * Makes the wallet the open event's anchor wallet, in public, until its sale ends: from then on anchors of the one that
 * is set count. Returns the event as it is now.
 */
export async function takeAnchorWallet(db: Db, wallet: Address): Promise<Event | undefined> {
  const seen = await getOpenEvent(db)
  if (!seen || seen.anchorWallet === wallet || hasEnded(seen, new Date())) return seen
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event || hasEnded(event, await newestMoment(tx)) || (await isMoneyWallet(tx, wallet))) return event
    return setTerms(tx, event, { anchorWallet: wallet })
  })
}

/**
 * The commitment that this wallet has to put on chain now: its event's ledger is frozen and neither drawn nor refunded,
 * the draw date is to come, and the last anchor that counts carries another one, or there is none. Undefined where the
 * operator wallet anchors the event by itself, as nothing else counts then.
 */
export async function dueAnchor(db: Db, wallet: Address): Promise<NonNullable<SendPurpose> | undefined> {
  const event = await getOpenEvent(db)
  const commitment = event && commitmentOfEvent(event)
  if (!commitment || event.anchorWallet !== wallet || !event.operatorWallet) return undefined
  if (event.refundModeAt || event.ticketsSold === 0 || !(await isBeforeDraw(db, event.number)))
    return undefined
  const counting = countingAnchors(await listAnchors(db, event.number), event.operatorWallet)
  const last = counting.at(-1)
  if (last?.commitment === commitment || last?.wallet === event.operatorWallet) return undefined
  return { eventNumber: event.number, commitment }
}

/** By the chain's time where it is known, as in tests and on a local chain it is the clock. */
async function isBeforeDraw(db: Db, eventNumber: number): Promise<boolean> {
  const [row] = await db.execute(sql`
    select 1 from events e, scan_cursor c where e.number = ${eventNumber}
      and e.draw_date > greatest(c.block_time, c.newest_block_time)
      and not exists (select 1 from ${draws} d where d.event_number = e.number)`)
  return row !== undefined
}

/** The last attempt with this nonce; undefined for a nonce that was never used. */
export async function lastSend(db: Db, wallet: Address, nonce: number): Promise<LastSend | undefined> {
  const [row] = await db
    .select({
      ...getTableColumns(anchorSends),
      ageMs: sql<number>`extract(epoch from clock_timestamp() - ${anchorSends.sentAt})::float8 * 1000`,
    })
    .from(anchorSends)
    .where(and(eq(anchorSends.wallet, wallet), eq(anchorSends.nonce, nonce)))
    .orderBy(desc(anchorSends.attempt))
    .limit(1)
  return row
}

/** How many nonces were used up for an event, or for the register. */
export async function countSends(db: Db, wallet: Address, purpose: SendPurpose): Promise<number> {
  const isFor = purpose ? eq(anchorSends.eventNumber, purpose.eventNumber) : isNull(anchorSends.eventNumber)
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${anchorSends.nonce})::int` })
    .from(anchorSends)
    .where(and(eq(anchorSends.wallet, wallet), isFor))
  return row?.count ?? 0
}

type NewSend = { wallet: Address; nonce: number; attempt: number; gasPrice: bigint; transactionHash: Hash }

/** Writes down what will be sent. Undefined if another worker was first with this attempt. */
export async function noteSend(
  db: Db,
  send: NewSend & { purpose: SendPurpose },
): Promise<AnchorSend | undefined> {
  const { purpose, ...values } = send
  const [row] = await db
    .insert(anchorSends)
    .values({ ...values, ...purpose })
    .onConflictDoNothing()
    .returning()
  return row
}

export const isSamePurpose = (
  { eventNumber, commitment }: Pick<AnchorSend, 'eventNumber' | 'commitment'>,
  purpose: SendPurpose,
): boolean => eventNumber === (purpose?.eventNumber ?? null) && commitment === (purpose?.commitment ?? null)
