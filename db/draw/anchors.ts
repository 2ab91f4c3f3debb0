import { and, asc, desc, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Address, Hash, Hex } from 'viem'
import { type AnchorKeyReport, anchorsLeft, commitmentOf, fewAnchors } from '../../core/draw/anchor.ts'
import { termsSha256 } from '../../core/event/terms.ts'
import { type Event, getOpenEvent, getSaleWallets, lockOpenEvent } from '../event/events.ts'
import { getScanCursor } from '../event/sale.ts'
import { bumpVersion, lockAnchored, setTerms, termsOf } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { anchorSends, anchors, cursors, events, reports } from '../schema/index.ts'

/** An `Anchored` log of our book; `blockTime` in seconds. */
export type FoundAnchor = Omit<StoredAnchor, 'blockTime'> & { blockTime: number }
type StoredAnchor = typeof anchors.$inferSelect

/** C, what an anchor of the list has to carry; undefined before the freeze. */
export const commitmentOfEvent = ({
  terms,
  ledgerSha256,
}: Pick<Event, 'terms' | 'ledgerSha256'>): Hex | undefined =>
  terms !== null && ledgerSha256 !== null ? commitmentOf(terms, ledgerSha256) : undefined

/** Strangers anchor for any number; beyond this there is no event. */
const mostEvents = 1_000_000

/** Records anchors that were read, each once, whatever they carry; also of events that a restored database has lost. */
export async function noteAnchors(tx: Db, found: readonly FoundAnchor[]): Promise<void> {
  if (found.length === 0) return
  for (const one of found.filter(({ eventNumber }) => eventNumber <= mostEvents)) {
    const anchor = { ...one, blockTime: new Date(one.blockTime * 1000) }
    await tx.insert(anchors).values(anchor).onConflictDoNothing()
    await lockAnchored(tx, anchor)
  }
  await bumpVersion(tx)
}

/** In chain order. @internal */
export async function listAnchors(db: Db, eventNumber: number): Promise<StoredAnchor[]> {
  return db
    .select()
    .from(anchors)
    .where(eq(anchors.eventNumber, eventNumber))
    .orderBy(asc(anchors.blockNumber), asc(anchors.logIndex))
}

/** All anchors before the draw date are on record: a proof that names them changes no more. */
export async function areAnchorsRead(db: Db, eventNumber: number): Promise<boolean> {
  const [row] = await db
    .select({ number: events.number })
    .from(events)
    .innerJoin(cursors, and(eq(cursors.name, 'outgoing'), gte(cursors.blockTime, events.drawDate)))
    .where(eq(events.number, eventNumber))
  return row !== undefined
}

type Told = { commitment: Hex; anchor: StoredAnchor | undefined }

/** T and C with the first anchor of each by a wallet of the event: before the sale end, and from then to the draw date. */
export async function readAnchors(db: Db, event: Event): Promise<{ terms: Told; list: Told | undefined }> {
  const { saleEnd, drawDate, operatorWallet, anchorWallet } = event
  const all = await listAnchors(db, event.number)
  const first = (wanted: Hex, from: Date | null, until: Date | null) =>
    all.find(
      ({ commitment, wallet, blockTime }) =>
        commitment === wanted &&
        (wallet === operatorWallet || wallet === anchorWallet) &&
        (!from || from <= blockTime) &&
        (!until || blockTime < until),
    )
  const terms = termsSha256(await termsOf(db, event))
  const list = commitmentOfEvent(event)
  return {
    terms: { commitment: terms, anchor: first(terms, null, saleEnd) },
    list: list && { commitment: list, anchor: first(list, saleEnd, drawDate) },
  }
}

const longestNoticeMs = 600_000

/**
 * What the open event's anchor wallet has to put on chain now, by the chain's time: T with the first ticket or shortly before
 * the sale end, C from the freeze to the draw date.
 */
export async function dueAnchor(db: Db, wallet: Address) {
  const event = await getOpenEvent(db)
  const cursor = await getScanCursor(db)
  if (!event?.saleEnd || !event.drawDate || event.anchorWallet !== wallet || !cursor) return undefined
  const now = Math.max(cursor.blockTime.getTime(), cursor.newestBlockTime?.getTime() ?? 0)
  const [end, draw] = [event.saleEnd.getTime(), event.drawDate.getTime()]
  const { terms, list } = await readAnchors(db, event)
  const isNear = end - now <= Math.min(longestNoticeMs, (draw - end) / 2)
  const isDue = list ? event.ledgerLines !== 0 && end <= now && now < draw : now < end
  const due = list ?? (event.lockedAt || isNear ? terms : undefined)
  if (!isDue || !due || due.anchor || event.refundModeAt) return undefined
  return { eventNumber: event.number, commitment: due.commitment }
}

export async function readAnchorState(db: Db, event: Event) {
  const [{ terms, list }, all, key] = await Promise.all([
    readAnchors(db, event),
    listAnchors(db, event.number),
    readAnchorKey(db),
  ])
  const { operatorWallet, anchorWallet } = event
  const ours = all.filter(({ wallet }) => wallet === operatorWallet || wallet === anchorWallet)
  return {
    ...{ eventNumber: event.number, anchorWallet },
    terms: { commitment: terms.commitment, transactionHash: terms.anchor?.transactionHash ?? null },
    list: list
      ? { commitment: list.commitment, transactionHash: list.anchor?.transactionHash ?? null }
      : null,
    /** By a wallet of the event, and neither T nor C: whoever checks the draw is told of it. */
    others: ours
      .filter(({ commitment }) => commitment !== terms.commitment && commitment !== list?.commitment)
      .map(({ transactionHash, wallet, blockTime }) => ({
        ...{ transactionHash, walletAddress: wallet, at: blockTime.toISOString() },
      })),
    key: key ? { ...keyOf(key.facts), seenAt: key.at.toISOString() } : null,
  }
}

const keyOf = (facts: AnchorKeyReport) => ({
  ...{ walletAddress: facts.address, balanceWei: facts.balanceWei, register: facts.register },
  anchorsLeft: anchorsLeft(facts),
  isLow: anchorsLeft(facts) < fewAnchors,
})

type AnchorSend = typeof anchorSends.$inferSelect
/** What a transaction of the anchor key is for: null is the register itself. */
export type SendPurpose = { eventNumber: number; commitment: Hex } | null

/** True where this wallet takes or sends money of the raffle: its key belongs on no server. */
export const isMoneyWallet = async (db: Db, wallet: Address): Promise<boolean> =>
  (await getSaleWallets(db)).includes(wallet)

/** Makes the wallet the open event's anchor wallet, in public, while its terms are not locked: a new key serves the next event. */
export async function takeAnchorWallet(db: Db, wallet: Address): Promise<void> {
  const seen = await getOpenEvent(db)
  if (!seen || seen.anchorWallet === wallet || seen.lockedAt) return
  await db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    if (!event || event.hasEnded || event.lockedAt) return
    if (!(await isMoneyWallet(tx, wallet))) await setTerms(tx, event, { anchorWallet: wallet })
  })
}

/** The last attempt with this nonce and how long ago it was written down; undefined for a nonce that was never used. */
export async function lastSend(db: Db, wallet: Address, nonce: number) {
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

type NewSend = { wallet: Address; nonce: number; attempt: number; gasPrice: bigint; transactionHash: Hash }

/** Writes down what will be sent. False if another worker was first with this attempt. */
export async function noteSend(db: Db, send: NewSend & { purpose: SendPurpose }): Promise<boolean> {
  const { purpose, ...values } = send
  const { count: added } = await db
    .insert(anchorSends)
    .values({ ...values, ...purpose })
    .onConflictDoNothing()
  return added === 1
}

export const isSamePurpose = (
  { eventNumber, commitment }: Pick<AnchorSend, 'eventNumber' | 'commitment'>,
  purpose: SendPurpose,
): boolean => eventNumber === (purpose?.eventNumber ?? null) && commitment === (purpose?.commitment ?? null)

/** What a worker last told of its anchor key; undefined before the first one. */
export async function readAnchorKey(db: Db) {
  const [row] = await db
    .select({
      facts: reports.facts,
      at: reports.at,
      secondsAgo: sql<number>`extract(epoch from now() - ${reports.at})::float8`,
    })
    .from(reports)
    .where(eq(reports.name, 'anchorKey'))
  return row && { ...row, facts: row.facts as AnchorKeyReport }
}
