import { asc, eq, gt, sql } from 'drizzle-orm'
import type { PublicRefund } from '../../core/live/public.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { events, refundBatches, refundProgress, refundRowPayments, refundRows } from '../schema/index.ts'
import { debtsOf } from './debts.ts'

/**
 * Counts who has got everything back in each event in refund mode, and tells the public page if that, or the day, has
 * changed. An archived event in which all are paid is counted again only if a row of it has opened. Safe to run twice
 * and by many workers: the counts come from the books alone.
 */
export async function noteRefundProgress(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await tx.execute(sql`
      insert into ${refundProgress} (event_number, days, paid, open)
      select e.number, floor(extract(epoch from clock_timestamp() - e.refund_mode_at) / 86400), c.paid, c.open
      from ${events} e left join ${refundProgress} known on known.event_number = e.number,
        lateral (
          select count(*) filter (where is_paid) as paid, count(*) filter (where not is_paid) as open
          from (
            select bool_and(coalesce(r.state = 'settled', false)) as is_paid from ${debtsOf('event')} p
            left join ${refundRowPayments} l on l.payment_id = p.id and l.is_live
            left join ${refundRows} r on r.id = l.row_id
            where p.event_number = e.number
              and (r.hold is distinct from 'dust' or r.released_at is not null or r.state = 'settled')
            group by p.payer) payers) c
      where e.refund_mode_at is not null and (e.archived_at is null or known.open is distinct from 0 or exists (
        select 1 from ${refundRows} r join ${refundBatches} b on b.id = r.batch_id
        where b.event_number = e.number and r.state <> 'settled' and r.hold is distinct from 'dust'))
      on conflict (event_number) do update set days = excluded.days, paid = excluded.paid, open = excluded.open
      where (refund_progress.days, refund_progress.paid, refund_progress.open)
        is distinct from (excluded.days, excluded.paid, excluded.open)
      returning event_number`)
    if (changed.length > 0) await bumpVersion(tx)
  })
}

/** Refunds that are not over, oldest first, as the public page shows them. */
export async function loadOpenRefunds(db: Db): Promise<PublicRefund[]> {
  const rows = await db
    .select({ progress: refundProgress, since: events.refundModeAt })
    .from(refundProgress)
    .innerJoin(events, eq(events.number, refundProgress.eventNumber))
    .where(gt(refundProgress.open, 0))
    .orderBy(asc(refundProgress.eventNumber))
  return rows.flatMap(({ progress, since }) => (since ? { ...progress, since: since.toISOString() } : []))
}
