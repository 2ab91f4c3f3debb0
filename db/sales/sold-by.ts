import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'

export type Spans = { from: Date; seconds: number; count: number }

/**
 * How many tickets of an event were sold before the end of each span. Tickets are numbered in chain order, so the
 * payment that sold the last one before a moment is found by halving, some twenty steps along the key of ticket
 * numbers: a million payments are as quick as a hundred, and no insert pays for another index.
 */
export async function soldBy(
  db: Db,
  { eventNumber, ticketsSold }: { eventNumber: number; ticketsSold: number },
  { from, seconds, count }: Spans,
): Promise<number[]> {
  if (count < 1) return []
  const rows = await db.execute<{ sold: number }>(sql`
    with recursive search (span, until, low, high) as (
      select span, ${from.toISOString()}::timestamptz + make_interval(secs => ${seconds}::float8 * span), 0, ${ticketsSold}::int
      from generate_series(1, ${count}::int) span
      union all
      select span, until,
        case when p.block_time < until then p.ticket_number + p.ticket_count - 1 else low end,
        case when p.block_time < until then high else p.ticket_number - 1 end
      from search cross join lateral (
        select ticket_number, ticket_count, block_time from payments
        where event_number = ${eventNumber} and ticket_number <= low + (high - low + 1) / 2
        order by ticket_number desc limit 1
      ) p
      where low < high
    )
    select max(low) as sold from search group by span order by span`)
  return rows.map(({ sold }) => sold)
}
