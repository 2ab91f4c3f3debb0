import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Db } from '../index.ts'
import {
  operatorTransfers,
  payments,
  refundBatches,
  refundRowPayments,
  refundRows,
  voidedPayments,
} from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { debtsOf } from './debts.ts'
import { reconcile } from './reconcile.ts'

/** The live row of each of these payments; payments without one are left out. */
export async function rowsOfPayments(tx: Db, which: SQL | undefined): Promise<Map<number, number>> {
  const rows = await tx
    .select({ id: payments.id, rowId: refundRowPayments.rowId })
    .from(payments)
    .innerJoin(refundRowPayments, and(eq(refundRowPayments.paymentId, payments.id), refundRowPayments.isLive))
    .where(which)
  return new Map(rows.map(({ id, rowId }) => [id, rowId]))
}

/** Sets a row's amount to the sum of its live payments. `which` names the rows as `r`. */
export async function sumRows(tx: Db, which: SQL): Promise<void> {
  await tx.execute(sql`
    update ${refundRows} r set units = owed.units
    from (
      select r.id, coalesce(sum(p.units), 0) as units from ${refundRows} r
      left join ${refundRowPayments} l on l.row_id = r.id and l.is_live
      left join ${payments} p on p.id = l.payment_id
      where ${which} group by r.id
    ) owed where owed.id = r.id and r.units <> owed.units`)
}

/** Recomputes amount and state of rows that have lost or gained payments. The caller holds the lock. */
export async function recountRows(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const which = sql`r.id = any(${sql.param(ids.map(String))}::text[]::bigint[])`
  await sumRows(tx, which)
  const rows = await tx.execute<{ payer: Address }>(
    sql`select distinct payer from ${refundRows} r where ${which}`,
  )
  await reconcile(
    tx,
    rows.map(({ payer }) => payer),
  )
}

/** What a row `r` is for, apart from payments with tickets: those it has, and those that were taken back and not found again yet. */
const owedByRow = sql`(select coalesce(sum(units), 0) from (
  select p.transaction_hash, p.payer, p.wallet, p.units from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
  where l.row_id = r.id and l.is_live
  union
  select o.transaction_hash, o.payer, o.wallet, o.units from ${voidedPayments} o where o.refund_row_id = r.id
    and not exists (select 1 from ${payments} p where p.transaction_hash = o.transaction_hash and p.payer = o.payer
      and p.wallet = o.wallet and p.ticket_number is not null)) others)`

/**
 * Those of these payments that had no ticket before they were taken back, and whose money was handed to a wallet then, or is
 * back by now: more was than the rest of their row comes to.
 */
export async function givenBack(
  tx: Db,
  found: readonly { transactionHash: Hash; payer: Address; wallet: Address }[],
): Promise<Hash[]> {
  if (found.length === 0) return []
  const had = sql`v.ticket_number is null and v.refund_row_id is not null`
  const [any] = await tx.execute(sql`select 1 from ${voidedPayments} v where ${had} limit 1`)
  if (!any) return []
  const column = (pick: (payment: (typeof found)[number]) => string) =>
    sql`${sql.param(found.map(pick))}::text[]`
  const rows = await tx.execute<{ hash: Hash }>(sql`
    select distinct v.transaction_hash as hash from ${voidedPayments} v
    join unnest(${column((p) => p.transactionHash)}, ${column((p) => p.payer)}, ${column((p) => p.wallet)})
      as p (hash, payer, wallet) on v.transaction_hash = p.hash and v.payer = p.payer and v.wallet = p.wallet
    join ${refundRows} r on r.id = v.refund_row_id
    where ${had} and ${owedByRow} < case when r.offered_at is null then 0 else coalesce(r.offered_units, v.units + ${owedByRow}) end
      + (select coalesce(sum(t.units), 0) from ${operatorTransfers} t where t.row_id = r.id and not t.is_gone)`)
  return rows.map(({ hash }) => hash)
}

/**
 * Payments that a reorg removed and that were mined again return to the rows that had them, so a refund already
 * paid for them still counts. A payment that now has tickets needs no refund and goes into no row.
 */
export async function relinkPayments(tx: Db, hashes: readonly Hash[]): Promise<void> {
  const known = sql`v.transaction_hash = any(${sql.param([...hashes])}::text[]) and v.refund_row_id is not null`
  const [any] = await tx.execute(sql`select 1 from ${voidedPayments} v where ${known} limit 1`)
  if (!any) return
  await lockRefunds(tx)
  const linked = await tx.execute<{ id: string }>(sql`
    insert into ${refundRowPayments} (row_id, payment_id)
    select distinct on (p.id) r.id, p.id
    from ${voidedPayments} v
    join ${debtsOf('leftover')} p on p.transaction_hash = v.transaction_hash and p.payer = v.payer and p.wallet = v.wallet
    join ${refundRows} r on r.id = v.refund_row_id
    join ${refundBatches} b on b.id = r.batch_id and b.event_number = p.event_number
    where ${known} and (p.status = 'rejected' or p.is_refund_mode)
    order by p.id, v.id desc
    on conflict do nothing
    returning row_id::text as id`)
  await recountRows(tx, [...new Set(linked.map(({ id }) => Number(id)))])
}
