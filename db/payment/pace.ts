import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'

/**
 * How often final blocks are worth a question to the endpoints. `busy`: a buyer waits, or a sale end or a draw is
 * near. `asleep`: no draw date is set and nothing was sold for an hour.
 */
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
