import { and, asc, desc, eq, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Address, getAddress, type Hex } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { whyNotOperatorWallet } from '../../core/event/event.ts'
import { parseTerms, termsSha256 } from '../../core/event/terms.ts'
import type { PublicChange } from '../../core/live/public.ts'
import type { Db } from '../index.ts'
import { changes, events, house, payments, termsVersions } from '../schema/index.ts'
import { type Event, eventColumns, nextSaleStart } from './events.ts'

/** The terms line of an event: the frozen one, else what it promises now. */
export async function termsOf(db: Db, event: Event): Promise<string> {
  if (event.terms !== null) return event.terms
  const [row] = await db.execute<{ line: string }>(
    sql`select terms_line(events) as line from events where number = ${event.number}`,
  )
  return row?.line as string
}

export async function formerWalletsOf(db: Db, { number }: Pick<Event, 'number'>): Promise<Address[]> {
  const rows = await db
    .selectDistinctOn([events.operatorWallet], { wallet: events.operatorWallet })
    .from(events)
    .where(and(lt(events.number, number), isNotNull(events.operatorWallet)))
    .orderBy(asc(events.operatorWallet))
  return rows.map(({ wallet }) => wallet as Address)
}

export async function firstTicketTime(db: Db, { number }: Pick<Event, 'number'>): Promise<Date | null> {
  const [row] = await db
    .select({ at: payments.blockTime })
    .from(payments)
    .where(and(eq(payments.eventNumber, number), eq(payments.ticketNumber, 1)))
  return row?.at ?? null
}

/** The book of this raffle in the register; null before event 1 has a wallet. A trigger writes it, once. */
export async function getBook(db: Db): Promise<Hex | null> {
  const [row] = await db.select({ book: house.book }).from(house)
  return row?.book ?? null
}

/**
 * Locks the terms in force at `at`, a block time, and takes back what was set since. True if this call did it; no rewind lifts
 * a lock. The caller holds the event's lock.
 */
export async function lockTerms(tx: Db, eventNumber: number, at: Date): Promise<boolean> {
  const line = () =>
    tx.execute<{ line: string }>(
      sql`select terms_line(e) as line from events e where number = ${eventNumber}`,
    )
  const [before] = await line()
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select lock_terms(${eventNumber}::int, ${at.toISOString()}::timestamptz) as locked`,
  )
  if (!row?.locked) return false
  const [after] = await line()
  if (before?.line !== after?.line) await addChange(tx, eventNumber, 'terms', null, 'takenBack')
  await bumpVersion(tx)
  return true
}

type FoundAnchor = { eventNumber: number; wallet: Address; commitment: Hex; blockTime: Date }

/** Locks the terms in force at the anchor's block time, where one of their two wallets has anchored them; any other anchor locks nothing. */
export async function lockAnchored(tx: Db, { eventNumber, wallet, commitment, blockTime }: FoundAnchor) {
  const [version] = await tx
    .select({ line: termsVersions.line })
    .from(termsVersions)
    .where(and(eq(termsVersions.eventNumber, eventNumber), lte(termsVersions.since, blockTime)))
    .orderBy(desc(termsVersions.since))
    .limit(1)
  if (!version || termsSha256(version.line) !== commitment) return
  // The key of a wallet that was replaced must not bring its terms back.
  const { operatorWallet, anchorWallet } = parseTerms(version.line) ?? {}
  if (wallet === operatorWallet || wallet === anchorWallet) await lockTerms(tx, eventNumber, blockTime)
}

export type TermsPatch = {
  [Name in Settable]?: Event[Name] | undefined
} & { content?: EventContent | null }
type Settable = Exclude<keyof typeof events.$inferSelect, 'number' | 'content'>

/**
 * The one place where terms change; triggers list it. With another wallet or price the sale begins anew, so that one price
 * judges all of it. The caller holds the event's lock and has looked at the rules. Throws INVALID_WALLET.
 */
export async function setTerms(tx: Db, event: Event, patch: TermsPatch): Promise<Event> {
  const changed = Object.entries(patch).filter(
    ([name, value]) => value !== undefined && !(name in event && isSame(value, event[name as Settable])),
  )
  if (changed.length === 0) return event
  const set = Object.fromEntries(changed) as Partial<Pick<typeof events.$inferInsert, Settable | 'content'>>
  const { operatorWallet: wallet, ticketPrice } = set
  const after = { ...event, ...set }
  if (after.operatorWallet && whyNotOperatorWallet(after.operatorWallet, after.token))
    throw new RaffleError('INVALID_WALLET', { reason: 'contract', field: 'operatorWallet' })
  // The anchor wallet's key lies on a server.
  if (after.operatorWallet && after.operatorWallet === after.anchorWallet)
    throw new RaffleError('INVALID_WALLET', { reason: 'anchor', field: 'operatorWallet' })
  const [updated] = await tx
    .update(events)
    .set({
      ...set,
      ...(wallet && { walletProvenAt: null }),
      ...((wallet || ticketPrice !== undefined) && { saleStart: nextSaleStart, openedAt: null }),
      revision: sql`${events.revision} + 1`,
    })
    .where(eq(events.number, event.number))
    .returning(eventColumns)
  if (updated?.saleEnd && updated.saleEnd <= updated.saleStart && !event.stoppedAt)
    throw dateInPast(updated.saleEnd)
  await bumpVersion(tx)
  return updated as Event
}

/** What an event's row holds besides its terms. Forms that were filled before are old then. */
export async function setState(
  tx: Db,
  { number }: Pick<Event, 'number'>,
  state: PgUpdateSetSource<typeof events>,
): Promise<void> {
  const revision = sql`${events.revision} + 1`
  await tx
    .update(events)
    .set({ ...state, revision })
    .where(eq(events.number, number))
}

export const dateInPast = (saleEnd: Date): RaffleError =>
  new RaffleError('DATE_IN_PAST', { values: { saleEnd: saleEnd.toISOString() }, field: 'drawDate' })

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())

/** Channel notified by every commit that changes the public state. */
export const versionChannel = 'public_version'

/** Last step of a transaction that changes the public state: its row lock puts versions in commit order. */
export async function bumpVersion(tx: Db): Promise<void> {
  await tx.execute(sql`update house set version = version + 1`)
}

/** What programs list themselves; changed terms are listed by a trigger, whatever program writes them. */
export type ChangeField = 'winner' | 'sales' | 'ledger' | 'refundMode' | 'terms' | 'ownMoney'

/** Adds to the public list of changes; the caller's transaction bumps the version. */
export async function addChange(
  tx: Db,
  eventNumber: number,
  field: ChangeField,
  from: string | null,
  to: string | null,
): Promise<void> {
  await tx.insert(changes).values({ eventNumber, field, from, to })
}

const pageSize = 200
/** Newest first; `next` is the cursor of the page after it, undefined with the oldest. No row is ever deleted. */
export type ChangesPage = { changes: PublicChange[]; next: number | undefined }

/** The page below the row `cursor`; without one the newest. Undefined for a cursor of no row. */
export async function changesPage(db: Db, cursor?: number): Promise<ChangesPage | undefined> {
  const rows = await db
    .select()
    .from(changes)
    .where(cursor === undefined ? undefined : lte(changes.id, cursor))
    .orderBy(desc(changes.id))
    // Enough to tell whether there is a page after this one.
    .limit(pageSize + 2)
  if (cursor !== undefined && rows.shift()?.id !== cursor) return undefined
  const page = rows.slice(0, pageSize)
  return {
    changes: page.map((row) => ({ eventNumber: row.eventNumber, ...shownChange(row) })),
    next: rows.length > pageSize ? page.at(-1)?.id : undefined,
  }
}

/** Addresses are stored in lower case and shown with their checksums. */
export function shownChange({
  at,
  field,
  from,
  to,
}: Omit<typeof changes.$inferSelect, 'id' | 'eventNumber'>) {
  const shown = (value: string | null) => (value && addressFields.has(field) ? getAddress(value) : value)
  return { at: at.toISOString(), field, from: shown(from), to: shown(to) }
}

const addressFields = new Set(['operatorWallet', 'anchorWallet', 'token'])
