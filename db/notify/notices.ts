import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { events, notifications, refundBatches, refundRows, scanCursor } from '../schema/index.ts'

/** A sale ends with time, so no transaction makes it happen. Safe to run twice and by many workers. */
export async function noteSaleEnd(db: Db): Promise<void> {
  await db.execute(sql`
    insert into ${notifications} (kind, subject, event_number, facts)
    select 'sale_ended', e.number::text, e.number, jsonb_build_object('ticketsSold', e.tickets_sold)
    from ${events} e
    where e.archived_at is null and e.stopped_at is null
      and e.sale_end <= (select coalesce(newest_block_time, block_time) from ${scanCursor})
      and ${isNew(sql`'sale_ended'`, sql`e.number::text`)}
    on conflict do nothing`)
}

/**
 * The last rows of a batch may be settled by two transactions that do not see each other. A batch that has grown is done
 * again; what is held as dust is not waited for. Safe to run twice and by many workers.
 */
export async function noteRefundsDone(db: Db): Promise<void> {
  await db.execute(sql`
    insert into ${notifications} (kind, subject, event_number, facts)
    select 'refund_batch_done', b.id || ' ' || r.rows, b.event_number,
      jsonb_build_object('rows', r.rows, 'units', r.units::text)
    from ${refundBatches} b, lateral (
      select count(*) as rows, sum(units) as units from ${refundRows}
      where batch_id = b.id and state = 'settled' and units > 0) r
    where not exists (select from ${refundRows} where batch_id = b.id and state <> 'settled' and units > 0
        and (hold is distinct from 'dust' or released_at is not null))
      and r.rows > 0 and ${isNew(sql`'refund_batch_done'`, sql`b.id || ' ' || r.rows`)}
    on conflict do nothing`)
}

/**
 * Goes up with every change of the refund rows, by the database's own counters, which cost nothing to read; they come up to ten
 * seconds late, and go back when the database has crashed.
 */
export async function refundRowChanges(db: Db): Promise<number> {
  const [row] = await db.execute<{ changes: string | null }>(sql`
    select n_tup_ins + n_tup_upd + n_tup_del as changes from pg_stat_user_tables
    where relid = ${'public.refund_rows'}::regclass`)
  return Number(row?.changes ?? 0)
}

const isNew = (kind: ReturnType<typeof sql>, subject: ReturnType<typeof sql>) =>
  sql`not exists (select from ${notifications} n where n.kind = ${kind} and n.subject = ${subject})`
