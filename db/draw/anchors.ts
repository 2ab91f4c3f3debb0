import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { commitmentOf } from '../../core/draw/anchor.ts'
import { countingAnchors } from '../../core/draw/anchored.ts'
import type { AnchorFact } from '../../core/draw/rules.ts'
import { addChange } from '../event/changes.ts'
import { type Event, lockOpenEvent } from '../event/events.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { anchorSends, anchors, draws, events, workerRequests } from '../schema/index.ts'

/** An anchor that the chain tells; `blockTime` in seconds. */
export type FoundAnchor = {
  wallet: Address
  commitment: Hex
  transactionHash: Hash
  blockNumber: bigint
  blockTime: number
  logIndex: number
}
export type StoredAnchor = typeof anchors.$inferSelect

/** What an anchor of this event has to carry; undefined before the freeze. */
export const commitmentOfEvent = ({
  terms,
  ledgerSha256,
}: Pick<Event, 'terms' | 'ledgerSha256'>): Hex | undefined =>
  terms !== null && ledgerSha256 !== null ? commitmentOf(terms, ledgerSha256) : undefined

/** The wallets whose anchors are read. */
export const anchoringWallets = ({
  operatorWallet,
  anchorWallet,
}: Pick<Event, 'operatorWallet' | 'anchorWallet'>): Address[] =>
  [operatorWallet, anchorWallet].filter((wallet) => wallet !== null)

/**
 * Records the anchors of a range that the scan has read, each once and in public, whatever they commit to. Nothing after
 * the draw, whose proof never changes. The caller holds the event's lock. Returns those that are new.
 */
export async function noteAnchors(
  tx: Db,
  event: Event,
  found: readonly FoundAnchor[],
): Promise<StoredAnchor[]> {
  if (found.length === 0) return []
  const [drawn] = await tx.select().from(draws).where(eq(draws.eventNumber, event.number))
  if (drawn) return []
  const noted = await tx
    .insert(anchors)
    .values(
      found.map(({ wallet, commitment, transactionHash, blockNumber, blockTime, logIndex }) => ({
        ...{ eventNumber: event.number, wallet, commitment, transactionHash, blockNumber, logIndex },
        blockTime: new Date(blockTime * 1000),
      })),
    )
    .onConflictDoNothing()
    .returning()
  for (const { transactionHash } of noted) await addChange(tx, event.number, 'anchor', null, transactionHash)
  if (noted.length > 0) await bumpVersion(tx)
  return noted
}

/** Records that no endpoint would tell the anchors from here to the draw date: what is on record may not be the last word. */
export async function noteUnreadAnchors(tx: Db, eventNumber: number, from: bigint): Promise<void> {
  await tx
    .update(events)
    .set({ anchorsUnreadFrom: sql`least(${events.anchorsUnreadFrom}, ${from})` })
    .where(eq(events.number, eventNumber))
}

/** After a reorg: the scan reads these blocks again and finds what is still there. Nothing after the draw. */
export async function takeBackAnchors(
  tx: Db,
  eventNumber: number,
  to: { height: bigint } | undefined,
): Promise<void> {
  await tx
    .delete(anchors)
    .where(and(eq(anchors.eventNumber, eventNumber), to && gt(anchors.blockNumber, to.height)))
  await tx
    .update(events)
    .set({ anchorsUnreadFrom: null })
    .where(and(eq(events.number, eventNumber), to && gt(events.anchorsUnreadFrom, to.height)))
}

/** All anchors of an event, in chain order. */
export async function listAnchors(db: Db, eventNumber: number): Promise<StoredAnchor[]> {
  return db
    .select()
    .from(anchors)
    .where(eq(anchors.eventNumber, eventNumber))
    .orderBy(asc(anchors.blockNumber), asc(anchors.logIndex))
}

/** Anchors of blocks that were unread: of `from` to `to`, or all that were left. */
type ReadAgain = { from: bigint; to: bigint; isLast: boolean; found: readonly FoundAnchor[] }

/**
 * Records the anchors of blocks that were unread. False, with nothing written, if they are not the next unread ones any
 * more, the scan has not passed them, or the event has been drawn.
 */
export async function noteReadAgain(
  db: Db,
  eventNumber: number,
  { from, to, isLast, found }: ReadAgain,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const cursor = await getScanCursor(tx)
    if (event?.number !== eventNumber || event.anchorsUnreadFrom !== from) return false
    if (!cursor || cursor.height < to) return false
    const [drawn] = await tx.select().from(draws).where(eq(draws.eventNumber, eventNumber))
    if (drawn) return false
    await noteAnchors(tx, event, found)
    await tx
      .update(events)
      .set({ anchorsUnreadFrom: isLast ? null : to + 1n })
      .where(eq(events.number, eventNumber))
    return true
  })
}

/**
 * What the anchors of an event say of its terms and its list as they are, once the scan has passed its draw date. A list
 * that was made anew may have been anchored again, also in blocks that are unread.
 */
export async function anchoredAs(db: Db, event: Event): Promise<AnchorFact> {
  const own = commitmentOfEvent(event)
  if (!own || !event.operatorWallet) return 'free'
  const counting = countingAnchors(await listAnchors(db, event.number), event.operatorWallet)
  if (counting.length === 0 || counting.some(({ commitment }) => commitment === own)) return 'free'
  return event.anchorsUnreadFrom === null ? 'otherwise' : 'unknown'
}

/** Events with a transaction that an administrator named as the anchor. */
export async function dueAnchors(db: Db): Promise<number[]> {
  const rows = await db
    .select({ number: workerRequests.eventNumber })
    .from(workerRequests)
    .where(
      and(
        eq(workerRequests.kind, 'anchor'),
        isNull(workerRequests.answeredAt),
        gt(workerRequests.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .groupBy(workerRequests.eventNumber)
  return rows.map((row) => row.number)
}

/**
 * Anchors of an event by its anchor wallet that no worker has made: somebody else has its key. The frozen commitment
 * itself is nobody's lie, also where a restored database has forgotten who sent it.
 */
export async function foreignAnchors(
  db: Db,
  event: Pick<Event, 'number' | 'anchorWallet' | 'terms' | 'ledgerSha256'>,
): Promise<StoredAnchor[]> {
  if (!event.anchorWallet) return []
  const sent = db
    .select({ n: sql`1` })
    .from(anchorSends)
    .where(
      and(
        eq(anchorSends.wallet, anchors.wallet),
        eq(anchorSends.eventNumber, anchors.eventNumber),
        eq(anchorSends.commitment, anchors.commitment),
      ),
    )
  const rows = await db
    .select()
    .from(anchors)
    .where(
      and(
        eq(anchors.eventNumber, event.number),
        eq(anchors.wallet, event.anchorWallet),
        sql`not exists ${sent}`,
      ),
    )
  const own = commitmentOfEvent(event)
  return rows.filter(({ commitment }) => commitment !== own)
}
