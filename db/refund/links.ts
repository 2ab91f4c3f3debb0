import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Db } from '../index.ts'
import { payments, refundBatches, refundRowPayments, refundRows, voidedPayments } from '../schema/index.ts'
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
