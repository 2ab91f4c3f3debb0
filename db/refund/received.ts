import { type SQL, sql } from 'drizzle-orm'
import type { RefundCause } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'

/** What came back by event: all that a payer received is counted against what he is owed, oldest first; by payment it is the view `payment_refunds`. */

const received = (which: SQL): SQL => sql`
  select payer, token, sum(by_hand) + max(total) as units from refund_receipts where ${which} group by payer, token`

/** What each payer is owed up to each row of `p`, and how much of the row that leaves of what he received: the oldest come first. */
const upTo = sql`sum(p.units) over (partition by p.payer, p.token order by p.event_number) as up_to`
const share = sql`greatest(0, least(p.units, coalesce(r.units, 0) + p.units - p.up_to)) as received`

type EventFigures = {
  eventNumber: number
  reason: RefundCause | null
  startedAt: Date | null
  tickets: number
  payers: number
  settled: number
  buyers: number
  settledBuyers: number
  units: bigint
  received: bigint
}

/** What each event gives back, newest first; `which` chooses payers by `payer`. */
export async function byEvent(db: Db, which = sql`true`): Promise<EventFigures[]> {
  const rows = await db.execute<
    Record<'units' | 'received', string> & Omit<EventFigures, 'units' | 'received'>
  >(sql`
    select e.event_number as "eventNumber", o.reason, o.at as "startedAt", sum(e.tickets)::int as tickets,
      count(*)::int as payers, count(*) filter (where e.received = e.units)::int as settled,
      count(*) filter (where e.tickets > 0)::int as buyers,
      count(*) filter (where e.tickets > 0 and e.received = e.units)::int as "settledBuyers",
      sum(e.units)::text as units, sum(e.received)::text as received
    from (
      select p.*, ${share} from (
        select p.*, ${upTo} from (
          select payer, token, event_number, sum(units) as units, sum(ticket_count) as tickets
          from (select * from owed_units where ${which} order by payer, token, event_number offset 0) p
          group by payer, token, event_number having sum(units) > 0
        ) p
      ) p left join (${received(which)}) r using (payer, token)
    ) e left join endings o on o.event_number = e.event_number and o.kind = 'refunds'
    group by e.event_number, o.reason, o.at order by e.event_number desc`)
  return rows.map((row) => ({
    ...row,
    startedAt: row.startedAt && new Date(row.startedAt),
    units: BigInt(row.units),
    received: BigInt(row.received),
  }))
}
