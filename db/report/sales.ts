import { type SQL, sql } from 'drizzle-orm'
import { bucketSecondsFor, type MoneyState, moneyStates, walletSizes } from '../../core/sales/sales.ts'
import { readAnchorKey } from '../draw/anchors.ts'
import { type Event, getEvent, mustHaveEvent } from '../event/events.ts'
import { getScanCursor } from '../event/sale.ts'
import { type Db, snapshot } from '../index.ts'
import { oldestUnsentSeconds } from '../notify/tell.ts'
import { eventFigures } from '../refund/dues.ts'
import { readNodeWatch, readScan } from './health.ts'
import { loadSolvency } from './solvency.ts'

/** What the alerts ask of the database. Takes some milliseconds each: call it now and then, not per visitor. */
export async function readFigures(db: Db) {
  const [event] = await db.execute<{
    hasWallet: boolean
    isHalted: boolean
    /** Blocks of its sale could not be read twice, or its ledger was frozen without that. */
    isUnreadTwice: boolean
    /** Since the draw date without a draw, refund mode or empty sale; else 0. */
    drawOverdueSeconds: number
  }>(sql`
    select operator_wallet is not null as "hasWallet", halted_at is not null as "isHalted",
      case when frozen_at is null then read_twice_failed_at is not null
        else not coalesce(read_twice_time >= sale_end, false) end as "isUnreadTwice",
      case when draw_date <= now() and o.event_number is null and e.tickets_sold > 0
        then extract(epoch from now() - draw_date)::float8 else 0 end as "drawOverdueSeconds"
    from events e left join endings o on o.event_number = e.number where archived_at is null`)
  return {
    event,
    scan: await readScan(db),
    isCovered: (await loadSolvency(db)).state === 'covered',
    /** The key in ANCHOR_KEY as a worker last saw it. */
    anchorKey: (await readAnchorKey(db))?.facts,
    /** 0 while two nodes answer. */
    nodesWaitingSeconds: (await readNodeWatch(db)).waitingSeconds ?? 0,
    unsentSeconds: await oldestUnsentSeconds(db),
    /** This machine's clock less the database's, to half the time that the question took. */
    clockOffsetSeconds: await readClockOffset(db),
  }
}

async function readClockOffset(db: Db): Promise<number> {
  const before = Date.now()
  const [row] = await db.execute<{ now: string }>(sql`select extract(epoch from clock_timestamp()) as now`)
  return (before + Date.now()) / 2_000 - Number(row?.now)
}

/** How many tickets were sold by when, told to everybody. Times are ISO texts with Z. */
export const salesCurve = (db: Db, eventNumber: number) =>
  snapshot(db, async (tx) => {
    const event = await getEvent(tx, eventNumber)
    if (!event) return undefined
    const { saleStart, saleEnd, ticketsSold, minTickets } = event
    const seen = (await getScanCursor(tx))?.blockTime ?? saleStart
    const to = new Date(Math.max(+saleStart, Math.min(+seen, saleEnd ? +saleEnd : +seen)))
    // A sale with an end keeps its spans while it runs.
    const seconds = bucketSecondsFor((+(saleEnd ?? to) - +saleStart) / 1_000)
    const count = Math.ceil((+to - +saleStart) / 1_000 / seconds)
    const before = await soldBy(tx, event, { from: saleStart, seconds, count: count - 1 })
    return {
      eventNumber,
      from: saleStart.toISOString(),
      /** Up to when the last count was taken: the newest final block, or the end of the sale. */
      to: to.toISOString(),
      /** Of each count but the last one, which ends at `to`. */
      bucketSeconds: seconds,
      /** Sold since `from`, by the end of each span. Empty before the sale has begun. */
      tickets: count < 1 ? [] : [...before, ticketsSold],
      minTickets,
    }
  })

/** Tickets sold in spans of `seconds` from `from` on; the last span may not be over. */
type Sold = { from: string; seconds: number; tickets: number[] }
type Size = { least: number; most: number | null; wallets: number; tickets: number }
type Money = { state: MoneyState; units: string }

/** As the call's schema has them. @internal */
export type SalesFigures = Awaited<ReturnType<typeof salesFigures>>

const hour = 3_600
const day = 86_400
const mostHours = 72
const mostDays = 120

export const salesFigures = (db: Db) =>
  snapshot(db, async (tx) => {
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
  })

type Last = { until: number; seconds: number; most: number }

/** The last `most` full hours or days (UTC) of the sale, and the one that runs. */
async function soldIn(tx: Db, event: Event, { until, seconds, most }: Last): Promise<Sold> {
  const start = floor(event.saleStart.getTime() / 1_000, seconds)
  const end = Math.max(start, floor(until, seconds)) + seconds
  const from = Math.max(start, end - most * seconds)
  const spans = { from: new Date((from - seconds) * 1_000), seconds, count: (end - from) / seconds }
  // The end of the span before the first one shown, and of each but the last.
  const sums = [...(await soldBy(tx, event, spans)), event.ticketsSold]
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

type Spans = { from: Date; seconds: number; count: number }

/** Tickets are numbered in chain order, so each end is found by halving along their key: no insert pays for another index. */
async function soldBy(
  db: Db,
  { number: eventNumber, ticketsSold }: Event,
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
