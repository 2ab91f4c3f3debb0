import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { exchangeWallets } from '../../core/refund/exchanges.ts'
import { type RefundKind, type RefundTotals, whyNotRefunded } from '../../core/refund/rules.ts'
import { factsOf } from '../draw/draws.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import {
  events,
  payments,
  refundBatches,
  refundReaddresses,
  refundRowPayments,
  refundRows,
} from '../schema/index.ts'
import { lockRefunds, reconcile } from './accounts.ts'
import { sumRows } from './links.ts'

export type RefundScope = { kind: RefundKind; eventNumber: number }
export type RefundFacts = RefundTotals & { totalTickets: number }

/**
 * What of an event's money a scope gives back, from the payments alone: mints and the operator's own transfers
 * (`held`) are nobody's money, and what a leftover batch has taken is not in the event's batch as well.
 */
const owedPayments = ({ kind, eventNumber }: RefundScope): SQL => sql`
  select p.id, p.payer, p.units, p.block_number, p.transaction_index, p.first_log_index, r.batch_id
  from ${payments} p
  left join ${refundRowPayments} l on l.payment_id = p.id and l.is_live
  left join ${refundRows} r on r.id = l.row_id
  left join ${refundBatches} b on b.id = r.batch_id
  where p.event_number = ${eventNumber} and p.reason is distinct from 'held'
    and (b.kind = ${kind} or (b.kind is null and ${kind === 'event' ? sql`true` : isLeftover}))`

/** Money without tickets; in refund mode it goes back with all the rest. */
const isLeftover = sql`(p.status = 'rejected' and not exists (
  select 1 from ${events} e where e.number = p.event_number and e.refund_mode_at is not null))`

/** What there is to give back in all, what is done included: the numbers that `refundInfo` must name. */
export async function refundFacts(db: Db, scope: RefundScope): Promise<RefundFacts> {
  const batch = scope.kind === 'event' ? sql`0` : sql`coalesce(p.batch_id, 0)`
  const [row] = await db.execute<{ refunds: number; cents: string; units: string }>(sql`
    select count(*)::int as refunds, coalesce(sum(div(units, 10000000000000000)), 0)::text as cents,
      coalesce(sum(units), 0)::text as units
    from (select payer, ${batch} as batch, sum(units) as units from (${owedPayments(scope)}) p group by 1, 2) rows`)
  const [event] = await db
    .select({ ticketsSold: events.ticketsSold })
    .from(events)
    .where(eq(events.number, scope.eventNumber))
  return {
    totalTickets: scope.kind === 'event' ? (event?.ticketsSold ?? 0) : 0,
    totalRefunds: row?.refunds ?? 0,
    totalAmount: Number(row?.cents ?? 0),
    totalUnits: row?.units ?? '0',
  }
}

type Preparation = RefundScope & {
  /** What the administrator has seen; left out by the job, which only brings a batch up to date. */
  expected?: { totalTickets: number; totalAmount: number }
  /** Rows below this are set aside as dust. */
  minUnits: bigint
}

/**
 * Makes the batch and its rows from the recorded payments, one row a payer, or brings them up to date: safe to
 * run twice and by many at once, as the event's row is locked and a payment is in one live row. The caller
 * gives the transaction. Throws NOT_FOUND, REFUND_TOTALS_CHANGED, NOTHING_TO_REFUND and what whyNotRefunded says.
 */
export async function writeBatch(tx: Db, { expected, minUnits, ...scope }: Preparation): Promise<void> {
  const event = await lockEvent(tx, scope.eventNumber)
  if (!event) throw new RaffleError('NOT_FOUND', '해당 이벤트가 없습니다.')
  if (scope.kind === 'event') await expectRefundable(tx, event)
  await lockRefunds(tx)
  const facts = await refundFacts(tx, scope)
  if (
    expected &&
    (expected.totalTickets !== facts.totalTickets || expected.totalAmount !== facts.totalAmount)
  )
    throw new RaffleError(
      'REFUND_TOTALS_CHANGED',
      '환불 합계가 변경되었습니다. 새로고침 후 다시 확인해주세요.',
      facts,
    )
  if (facts.totalRefunds === 0) throw new RaffleError('NOTHING_TO_REFUND', '환불할 금액이 없습니다.')
  const batchId = await openBatch(tx, scope)
  if (batchId === undefined) return
  await fillBatch(tx, batchId, scope)
  await setHolds(tx, batchId, minUnits)
  await reconcile(tx, await touchedPayers(tx, batchId))
}

async function lockEvent(tx: Db, number: number): Promise<Event | undefined> {
  const [event] = await tx.select().from(events).where(eq(events.number, number)).for('update')
  return event
}

async function expectRefundable(tx: Db, event: Event): Promise<void> {
  const facts = await factsOf(tx, event)
  const refusal = whyNotRefunded({ ...facts, isRefundMode: event.refundModeAt !== null })
  if (refusal) throw refusal
}

/** The event's one batch; for leftovers a new one each time there is something new, else undefined. */
async function openBatch(tx: Db, scope: RefundScope): Promise<number | undefined> {
  const { kind, eventNumber } = scope
  if (kind === 'leftover') {
    const [fresh] = await tx.execute(
      sql`select 1 from (${owedPayments(scope)}) p where p.batch_id is null limit 1`,
    )
    if (!fresh) return undefined
  }
  const [made] = await tx
    .insert(refundBatches)
    .values({ kind, eventNumber })
    .onConflictDoNothing()
    .returning({ id: refundBatches.id })
  if (made) return made.id
  const [known] = await tx
    .select({ id: refundBatches.id })
    .from(refundBatches)
    .where(sql`${refundBatches.eventNumber} = ${eventNumber} and ${refundBatches.kind} = 'event'`)
  return known?.id
}

/** Payers in the order of their first payments, so that the list reads like the ledger. */
async function fillBatch(tx: Db, batchId: number, scope: RefundScope): Promise<void> {
  const fresh = sql`(select * from (${owedPayments(scope)}) p where p.batch_id is null)`
  await tx.execute(sql`
    insert into ${refundRows} (batch_id, payer, recipient, units)
    select ${batchId}, payer, payer, 0 from ${fresh} p group by payer
    order by min(block_number), min(transaction_index), min(first_log_index), payer
    on conflict (batch_id, payer) do nothing`)
  await tx.execute(sql`
    insert into ${refundRowPayments} (row_id, payment_id)
    select r.id, p.id from ${fresh} p join ${refundRows} r on r.batch_id = ${batchId} and r.payer = p.payer`)
  await sumRows(tx, sql`r.batch_id = ${batchId}`)
}

async function setHolds(tx: Db, batchId: number, minUnits: bigint): Promise<void> {
  await tx.execute(sql`
    update ${refundRows} r set hold = held.hold
    from (
      select id, case when payer = any(${sql.param([...exchangeWallets])}::text[]) then 'exchange'
        when hold = 'contract' then 'contract' when units < ${minUnits.toString()}::numeric then 'dust' end as hold
      from ${refundRows} where batch_id = ${batchId} and recipient = payer and units > 0
    ) held where held.id = r.id and r.hold is distinct from held.hold`)
}

/** Those of whom something else is known than that they paid. */
async function touchedPayers(tx: Db, batchId: number): Promise<Address[]> {
  const rows = await tx.execute<{ payer: Address }>(sql`
    select payer from ${refundRows} r where batch_id = ${batchId} and (state <> 'planned' or units = 0 or exists (
      select 1 from operator_transfers t where t.recipient in (r.payer, r.recipient) and not t.is_gone))`)
  return rows.map((row) => row.payer)
}

/** Rows whose payers the chain has not been asked about, oldest first. */
export async function uncheckedRows(db: Db, limit: number): Promise<{ id: number; payer: Address }[]> {
  return db
    .select({ id: refundRows.id, payer: refundRows.payer })
    .from(refundRows)
    .where(sql`${refundRows.checkedAt} is null`)
    .orderBy(refundRows.id)
    .limit(limit)
}

/** Rows of a scope whose payers the chain has not been asked about. */
export async function countUnchecked(db: Db, { kind, eventNumber }: RefundScope): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(refundRows)
    .innerJoin(refundBatches, eq(refundBatches.id, refundRows.batchId))
    .where(
      sql`${refundRows.checkedAt} is null and ${refundBatches.kind} = ${kind} and ${refundBatches.eventNumber} = ${eventNumber}`,
    )
  return row?.count ?? 0
}

/** Notes that the chain was asked about these rows; payers that are contracts are held. Twice is the same. */
export async function noteChecked(
  db: Db,
  ids: readonly number[],
  contracts: readonly number[],
): Promise<void> {
  const list = (numbers: readonly number[]) => sql`any(${sql.param(numbers.map(String))}::text[]::bigint[])`
  await db.execute(sql`
    update ${refundRows} set checked_at = now(),
      hold = case when id = ${list(contracts)} and hold is distinct from 'exchange' and recipient = payer then 'contract' else hold end
    where id = ${list(ids)} and checked_at is null`)
}

export type RefundWork = {
  /** Events whose batch misses a payment, or has lost one. */
  events: number[]
  /** Payers or signed wishes that the chain has to be asked about. */
  mustAsk: boolean
  /** Something may still go out: the watch has to be quick. */
  isOpen: boolean
}

/** What workers have to do about refunds, found from the rows alone. */
export async function dueRefundWork(db: Db): Promise<RefundWork> {
  const [row] = await db.execute<{ events: number[] | null; ask: boolean; open: boolean }>(sql`
    select (
        select array_agg(b.event_number) from ${refundBatches} b where b.kind = 'event' and (
          exists (select 1 from ${payments} p where p.event_number = b.event_number and p.reason is distinct from 'held'
            and not exists (select 1 from ${refundRowPayments} l where l.payment_id = p.id and l.is_live))
          or exists (select 1 from ${refundRows} r where r.batch_id = b.id and r.units > 0
            and not exists (select 1 from ${refundRowPayments} l where l.row_id = r.id and l.is_live)))
      ) as events,
      exists (select 1 from ${refundRows} where checked_at is null) or exists (
        select 1 from ${refundReaddresses} where answered_at is null and expires_at > clock_timestamp()) as ask,
      exists (select 1 from ${refundRows} where state <> 'settled') as open`)
  return { events: row?.events ?? [], mustAsk: row?.ask === true, isOpen: row?.open === true }
}
