import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { parseTerms, type TermsField } from '../../core/event/terms.ts'
import { type FoldedPayment, foldPayments, judgePayment, type SaleRules } from '../../core/payment/judge.ts'
import { type FoundPayment, keyOf, type Payment } from '../../core/payment/payment.ts'
import { areSaleWallets, lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type Cursor } from '../event/sale.ts'
import { addChange, bumpVersion, lockTerms } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { events, operatorWallets, termsVersions } from '../schema/index.ts'
import { resolveClaims } from './claims.ts'
import { hashesOf, notRecorded } from './second-reading.ts'

export type BlockEnd = { number: bigint; hash: Hash; timestamp: number }
type Read = { token: Address; wallets: readonly Address[] }

/**
 * Payments, ticket numbers, claims, cursor and version in one transaction. Returns the new tickets; undefined, with nothing
 * written, if another worker was first, or token or wallets are others than were `read` for.
 */
export async function foldRange(
  db: Db,
  before: Cursor | undefined,
  end: BlockEnd,
  found: readonly FoundPayment[],
  read?: Read,
): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const event = await lockOpenEvent(tx)
    const isOther = event && read && (event.token !== read.token || !(await areSaleWallets(tx, read.wallets)))
    if (isOther) return undefined
    const after = { height: end.number, hash: end.hash, blockTime: new Date(end.timestamp * 1000) }
    if (!(await advanceCursor(tx, 'payments', before, after))) return undefined
    if (found.length === 0) return 0
    const written = await recordFound(tx, found)
    await bumpVersion(tx)
    return ticketsOf(written)
  })
}

/** Returns what was written; a payment of a sale that came too late for its list is named in public. */
export async function recordFound(tx: Db, found: readonly FoundPayment[]): Promise<FoldedPayment[]> {
  const fresh = await notRecorded(tx, found)
  const written = await recordPayments(tx, fresh, await rulesFor(tx, fresh))
  for (const { eventNumber, reason, transactionHash } of written)
    if (eventNumber !== null && reason === 'missed')
      await addChange(tx, eventNumber, 'ledger', null, `missed: ${transactionHash}`)
  await resolveClaims(tx, hashesOf(found))
  return written
}

/** The same money by the same payer in the same transaction, wherever it stands. */
export const isAmong = (found: readonly Payment[], line: Payment): boolean =>
  found.some((one) => keyOf(one) === keyOf(line) && one.units === line.units)

const ticketsOf = (folded: readonly FoldedPayment[]): number =>
  folded.reduce((sum, { ticketCount }) => sum + ticketCount, 0)

/** In chain order. Money that is none of ours is left out; what is on record violates the unique key. */
async function recordPayments(tx: Db, found: readonly FoundPayment[], rules: SaleRules) {
  if (found.length === 0) return []
  const sold = new Map<number, number>()
  // An archived event sells nothing more, and whoever prepares its refunds holds its row for long.
  for (const event of await tx
    .select({ number: events.number, ticketsSold: sql<number>`tickets_of(${events.number})` })
    .from(events)
    .where(isNull(events.archivedAt))
    .for('update'))
    sold.set(event.number, event.ticketsSold)
  const folded = foldPayments(found, rules, sold).filter(({ eventNumber }) => eventNumber !== null)
  // A text that the server splits costs half of what an array costs; no value is empty or holds a comma. Lists that are
  // unfolded where they are selected are not stored before they are written.
  const column = (pick: (payment: FoldedPayment) => unknown) =>
    sql`unnest(string_to_array(${folded.map(pick).join()}, ',', ''))`
  await tx.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, reason, ticket_number, ticket_count)
    select ${column((p) => p.transactionHash)}, ${column((p) => p.payer)}, ${column((p) => p.wallet)},
      ${column((p) => p.eventNumber)}::int, (select token from events where archived_at is null),
      ${column((p) => p.units)}::numeric, ${column((p) => p.blockNumber)}::bigint, ${column((p) => p.blockHash)},
      to_timestamp(${column((p) => p.blockTime)}::bigint), ${column((p) => p.transactionIndex)}::int,
      ${column((p) => p.firstLogIndex)}::int, ${column((p) => p.status)}, ${column((p) => p.reason)},
      ${column((p) => p.ticketNumber)}::int, ${column((p) => p.ticketCount)}::int`)
  for (const [number, ticketsSold] of sold)
    await tx
      .update(events)
      .set({ ticketsSold })
      .where(and(eq(events.number, number), sql`${events.ticketsSold} <> ${ticketsSold}`))
  return folded
}

/** `busy`: a buyer waits, or a sale end or draw is near. `asleep`: no draw date, and nothing sold for an hour. */
export type Pace = 'busy' | 'idle' | 'asleep'

/** By the rows alone, and the database's clock. */
export async function scanPace(db: Db): Promise<Pace> {
  const [row] = await db.execute<{ busy: boolean; asleep: boolean }>(sql`
    select
      coalesce(bool_or(not exists (select 1 from endings where event_number = e.number) and (
        (frozen_at is null and sale_end < now() + interval '30 seconds')
        or (draw_date between now() - interval '10 minutes' and now() + interval '30 seconds'))), false)
        or exists (select 1 from claims where next_attempt_at is not null
          and (status = 'confirming' or created_at > now() - interval '1 minute')) as busy,
      bool_and(draw_date is null and now() - interval '1 hour' > greatest(sale_start, (
        select block_time from payments where event_number = e.number and ticket_number is not null
        order by ticket_number desc limit 1))) as asleep
    from events e where archived_at is null`)
  if (row?.busy) return 'busy'
  return row?.asleep === false ? 'idle' : 'asleep'
}

/** One entry a version of the terms. Of locked terms the event's row is the last one, as its draw date may be set later. */
export async function getSaleRules(db: Db): Promise<SaleRules> {
  const rows = await db.select({ event: events }).from(events).orderBy(asc(events.number))
  const versions = await db.select().from(termsVersions).orderBy(asc(termsVersions.since))
  const wallets = await db.select().from(operatorWallets).orderBy(asc(operatorWallets.address))
  return {
    events: rows.flatMap(({ event }) => {
      const { number, lockedAt } = event
      const isClosed = event.frozenAt !== null || event.archivedAt !== null
      const inForce = versions.filter(
        ({ eventNumber, since }) => eventNumber === number && (!lockedAt || since <= lockedAt),
      )
      const last = inForce.pop()
      const terms = [
        ...inForce.map(({ since, line }) => ({
          ...{ since: seconds(since), isClosed: isClosed || lockedAt !== null },
          ...judgedBy(line),
        })),
        {
          ...{ operatorWallet: event.operatorWallet, anchorWallet: event.anchorWallet },
          since: seconds(last && inForce.length > 0 ? last.since : event.saleStart),
          ...{ ticketPrice: event.ticketPrice, saleStart: seconds(event.saleStart) },
          ...{ saleEnd: event.saleEnd && seconds(event.saleEnd), isClosed },
        },
      ]
      const formerWallets = rows.flatMap(
        ({ event: one }) => (one.number < number && one.operatorWallet) || [],
      )
      return terms.flatMap(({ operatorWallet, ...one }) =>
        operatorWallet
          ? {
              ...{ ...one, number, operatorWallet, formerWallets },
              isLocked: lockedAt !== null,
            }
          : [],
      )
    }),
    wallets: wallets.map(({ address, since }) => ({ address, since: Math.floor(seconds(since)) })),
  }
}

const seconds = (date: Date): number => date.getTime() / 1000

function judgedBy(line: string) {
  const terms = parseTerms(line) as Record<TermsField, string>
  const orNull = <T>(text: string, read: (text: string) => T): T | null =>
    text === 'none' ? null : read(text)
  return {
    operatorWallet: orNull(terms.operatorWallet, (text) => text as Address),
    anchorWallet: orNull(terms.anchorWallet, (text) => text as Address),
    ...{ ticketPrice: BigInt(terms.ticketPrice), saleStart: Number(terms.saleStart) },
    saleEnd: orNull(terms.saleEnd, Number),
  }
}

/** The first payment worth a ticket locks the version that was in force. The caller holds the event's lock. */
async function rulesFor(tx: Db, found: readonly FoundPayment[]): Promise<SaleRules> {
  const rules = await getSaleRules(tx)
  const isOpen = new Set(rules.events.filter(({ isLocked }) => !isLocked).map(({ number }) => number))
  for (const payment of isOpen.size > 0 ? found : []) {
    const { eventNumber, status } = judgePayment(payment, payment.blockTime, rules)
    if (status === 'credited' && eventNumber !== null && isOpen.has(eventNumber)) {
      await lockTerms(tx, eventNumber, new Date(payment.blockTime * 1000))
      return rulesFor(tx, found)
    }
  }
  return rules
}

/** When an event's sale began at first: it begins anew with another wallet, which a ticket paid before takes back. */
export async function firstSaleStart(db: Db, eventNumber: number): Promise<Date | undefined> {
  const [row] = await db
    .select({
      start:
        sql`least(${events.saleStart}, min(${termsVersions.since}) filter (where ${termsVersions.row} ->> 'operator_wallet' is not null))`.mapWith(
          events.saleStart,
        ),
    })
    .from(events)
    .leftJoin(termsVersions, eq(termsVersions.eventNumber, events.number))
    .where(eq(events.number, eventNumber))
    .groupBy(events.number)
  return row?.start ?? undefined
}
