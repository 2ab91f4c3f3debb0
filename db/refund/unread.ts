import { sql } from 'drizzle-orm'
import type { RefundTotals } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { events, refundBatches, refundRowPayments, refundRows } from '../schema/index.ts'
import { debtsOf } from './debts.ts'

/** Rows of the open event with a payment that may get tickets after all: blocks that are folded anew are read twice again. */
export async function unreadRows(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct r.id::text as id from ${events} open
    join ${refundBatches} b on b.event_number = open.number and b.kind = 'leftover'
    join ${refundRows} r on r.batch_id = b.id join ${refundRowPayments} l on l.row_id = r.id and l.is_live
    join ${debtsOf('leftover')} p on p.id = l.payment_id
    where open.archived_at is null and p.is_unread`)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** What is owed without a ticket and in no row yet, as it waits for the second reading: payers and sums. */
export async function unreadTotals(db: Db, eventNumber: number): Promise<RefundTotals> {
  const [row] = await db.execute<{ refunds: number; cents: string; units: string }>(sql`
    select count(*)::int as refunds, coalesce(sum(div(units, 10000000000000000)), 0)::text as cents,
      coalesce(sum(units), 0)::text as units
    from (select p.payer, sum(p.units) as units from ${debtsOf('leftover')} p
      where p.event_number = ${eventNumber} and p.is_unread
        and not exists (select 1 from ${refundRowPayments} l where l.payment_id = p.id and l.is_live)
      group by p.payer) payers`)
  return {
    totalRefunds: row?.refunds ?? 0,
    totalAmount: Number(row?.cents ?? 0),
    totalUnits: row?.units ?? '0',
  }
}
