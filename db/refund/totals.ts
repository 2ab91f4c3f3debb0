import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { RefundKind, RefundTotals } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { events, refundBatches, refundRowPayments, refundRows } from '../schema/index.ts'
import { debtsOf, isFor } from './debts.ts'
import { unreadTotals } from './unread.ts'

export type RefundScope = { kind: RefundKind; eventNumber: number }
type RefundFacts = RefundTotals & {
  totalTickets: number
  /** Owed too, but in no row before the sale was read a second time; none of it is in the totals. */
  waiting: RefundTotals
}

/**
 * What of an event's money a scope gives back, from the payments alone. What a leftover batch has taken is not in
 * the event's batch as well.
 */
export const owedPayments = ({ kind, eventNumber }: RefundScope): SQL => sql`
  select p.id, p.payer, p.units, p.reason is not distinct from 'early' as is_early,
    case when p.is_former then p.token end as token, taken.batch_id
  from ${debtsOf(kind)} p
  left join (
    select l.payment_id, r.batch_id, b.kind from ${refundRowPayments} l join ${refundRows} r on r.id = l.row_id
    join ${refundBatches} b on b.id = r.batch_id where l.is_live
  ) taken on taken.payment_id = p.id
  where p.event_number = ${eventNumber} and (taken.kind = ${kind} or (taken.kind is null and ${isFor(kind)}))`

const nothing: RefundTotals = { totalRefunds: 0, totalAmount: 0, totalUnits: '0' }

/** What there is to give back in all, what is done included: the numbers that `refundInfo` must name. */
export async function refundFacts(db: Db, scope: RefundScope): Promise<RefundFacts> {
  // As it will be prepared: early money in a batch of its own.
  const batch =
    scope.kind === 'event' ? sql`0` : sql`coalesce(p.batch_id, case when p.is_early then -1 else 0 end)`
  const [row] = await db.execute<{ refunds: number; cents: string; units: string }>(sql`
    select count(*)::int as refunds, coalesce(sum(div(units, 10000000000000000)), 0)::text as cents,
      coalesce(sum(units), 0)::text as units
    from (select payer, ${batch} as batch, token, sum(units) as units
      from (${owedPayments(scope)}) p group by 1, 2, 3) rows`)
  const [event] = await db
    .select({ ticketsSold: events.ticketsSold })
    .from(events)
    .where(eq(events.number, scope.eventNumber))
  return {
    totalTickets: scope.kind === 'event' ? (event?.ticketsSold ?? 0) : 0,
    totalRefunds: row?.refunds ?? 0,
    totalAmount: Number(row?.cents ?? 0),
    totalUnits: row?.units ?? '0',
    waiting: scope.kind === 'event' ? nothing : await unreadTotals(db, scope.eventNumber),
  }
}

/** SHA-256 of who is owed how much by a scope, whatever of it is done. */
export async function owedSha256(db: Db, scope: RefundScope): Promise<string> {
  const [row] = await db.execute<{ sha256: string }>(sql`
    select encode(sha256(convert_to(coalesce(string_agg(
      payer || ' ' || coalesce(token, '') || ' ' || units, E'\\n' order by payer, token), ''), 'utf8')), 'hex') as sha256
    from (select payer, token, sum(units) as units from (${owedPayments(scope)}) p group by 1, 2) owed`)
  return row?.sha256 as string
}

/** Which batches these rows belong to. */
export async function scopesOf(db: Db, ids: readonly number[]): Promise<RefundScope[]> {
  const { kind, eventNumber } = refundBatches
  return db
    .selectDistinctOn([kind, eventNumber], { kind, eventNumber })
    .from(refundRows)
    .innerJoin(refundBatches, eq(refundBatches.id, refundRows.batchId))
    .where(inArray(refundRows.id, [...ids]))
    .orderBy(kind, eventNumber)
}
