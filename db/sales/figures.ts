import { type SQL, sql } from 'drizzle-orm'
import { type MoneyState, moneyStates, walletSizes } from '../../core/sales/sales.ts'
import { type Event, mustHaveEvent } from '../event/events.ts'
import { getScanCursor } from '../event/scan-cursor.ts'
import type { Db } from '../index.ts'
import { eventFigures } from '../refund/dues.ts'
import { soldBy } from './sold-by.ts'

/** Tickets sold in spans of `seconds` from `from` on; the last span may not be over. */
type Sold = { from: string; seconds: number; tickets: number[] }
type Size = { least: number; most: number | null; wallets: number; tickets: number }
type Money = { state: MoneyState; units: string }

export type SalesFigures = {
  eventNumber: number
  ticketsSold: number
  minTickets: number
  hours: Sold
  days: Sold
  sizes: Size[]
  money: Money[]
}

const hour = 3_600
const day = 86_400
const mostHours = 72
const mostDays = 120

/** What administrators are shown of the open event's sale, all of it at one moment. */
export const salesFigures = (db: Db): Promise<SalesFigures> =>
  db.transaction(
    async (tx) => {
      const event = await mustHaveEvent(tx)
      const seen = (await getScanCursor(tx))?.blockTime ?? event.saleStart
      const until = Math.min(+seen, event.saleEnd ? +event.saleEnd : +seen) / 1_000
      const sold = (seconds: number, most: number) => soldIn(tx, event, { until, seconds, most })
      return {
        eventNumber: event.number,
        ticketsSold: event.ticketsSold,
        minTickets: event.minTickets,
        hours: await sold(hour, mostHours),
        days: await sold(day, mostDays),
        sizes: await readSizes(tx, event.number),
        money: await readMoney(tx, event),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

type Last = { until: number; seconds: number; most: number }

/** The last `most` full hours or days (UTC) of the sale, and the one that runs. */
async function soldIn(tx: Db, event: Event, { until, seconds, most }: Last): Promise<Sold> {
  const start = floor(event.saleStart.getTime() / 1_000, seconds)
  const end = Math.max(start, floor(until, seconds)) + seconds
  const from = Math.max(start, end - most * seconds)
  const { number: eventNumber, ticketsSold } = event
  const spans = { from: new Date((from - seconds) * 1_000), seconds, count: (end - from) / seconds }
  // The end of the span before the first one shown, and of each but the last.
  const ends = await soldBy(tx, { eventNumber, ticketsSold }, spans)
  const sums = [...ends, ticketsSold]
  return {
    from: new Date(from * 1_000).toISOString(),
    seconds,
    tickets: sums.slice(1).map((sum, index) => sum - (sums[index] as number)),
  }
}

const floor = (value: number, step: number): number => Math.floor(value / step) * step

async function readSizes(tx: Db, eventNumber: number): Promise<Size[]> {
  const classOf: SQL = sql.join(
    walletSizes.map(({ least }, index) => sql`when tickets >= ${least} then ${index}::int`).toReversed(),
    sql` `,
  )
  const rows = await tx.execute<{ class: number; wallets: number; tickets: number }>(sql`
    select case ${classOf} end as class, count(*)::int as wallets, sum(tickets)::int as tickets
    from (select sum(ticket_count) as tickets from payments
      where event_number = ${eventNumber} group by payer) wallet
    where tickets > 0 group by 1`)
  return walletSizes.map((size, index) => {
    const found = rows.find((row) => row.class === index)
    return { ...size, wallets: found?.wallets ?? 0, tickets: found?.tickets ?? 0 }
  })
}

/** What came in is credited, owed back, given back, or the operator's own; what is seen and not final yet comes on top. */
async function readMoney(tx: Db, { number }: Event): Promise<Money[]> {
  const [sums] = await tx.execute<{ all: string; credited: string; confirming: string }>(sql`
    select coalesce(sum(p.units), 0)::text as all, coalesce(sum(p.units) filter (where p.ticket_count > 0
        and not exists (select from endings o where o.event_number = p.event_number and o.kind = 'refunds')), 0)::text as credited,
      (select coalesce(sum((seen.one ->> 'units')::numeric), 0)
        from claims cross join lateral jsonb_array_elements(claims.seen) seen (one)
        where claims.next_attempt_at is not null)::text as confirming
    from payments p where p.event_number = ${number}`)
  const { units, received } = await eventFigures(tx, number)
  const credited = BigInt(sums?.credited ?? 0)
  const found: Record<MoneyState, bigint> = {
    ...{ confirming: BigInt(sums?.confirming ?? 0), credited, owed: units - received, refunded: received },
    own: BigInt(sums?.all ?? 0) - credited - units,
  }
  return moneyStates.map((state) => ({ state, units: found[state].toString() }))
}
