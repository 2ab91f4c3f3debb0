/** Who is owed what, and what came back of it, over payers and events; stored nowhere. */
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { PublicRefund } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { PaymentReason } from '../../core/payment/payment.ts'
import {
  type RefundCause,
  type RefundState,
  refundStates,
  type TransferMark,
} from '../../core/refund/rules.ts'
import { type Db, readClock } from '../index.ts'
import { refundDecisions, refundReports } from '../schema/index.ts'
import { isOpenReport } from './facts.ts'
import {
  chunk,
  type Dues,
  lineOf,
  lines,
  openLines,
  type RefundFilter,
  type RefundLine,
  shownChunks,
} from './lines.ts'

export async function refundPage(db: Db, filter: RefundFilter & { limit: number }): Promise<RefundLine[]> {
  const { limit, event, state } = filter
  const isPlain = event === undefined && (state === undefined || state === 'dust')
  const page: RefundLine[] = []
  for await (const found of shownChunks(db, filter, { atOnce: isPlain ? limit : chunk, limit })) {
    page.push(...found)
    if (page.length >= limit) break
  }
  return page.slice(0, limit)
}

/** Lines that `payUpTo` may be told now, of who is owed something in the event, and how many wait for their code to be read. */
export async function payableLines(
  db: Db,
  { minUnits, eventNumber }: { minUnits: bigint; eventNumber?: number | undefined },
): Promise<{ lines: Dues[]; unchecked: number }> {
  const all = await openLines(db, { minUnits, event: eventNumber })
  return {
    lines: all.filter(({ state }) => state === 'due' || state === 'sent'),
    unchecked: all.filter(({ holds }) => holds.includes('unchecked')).length,
  }
}

const cents = (units: bigint): number => Number(centsOf(units))

export async function listRefundHistory(db: Db) {
  return (await byEvent(db)).flatMap(
    ({ eventNumber, reason, startedAt, payers, settled, units, received }) =>
      reason && startedAt
        ? [
            {
              eventNumber,
              reason,
              startedAt,
              payers,
              settled,
              totalAmount: cents(units),
              settledAmount: cents(received),
            },
          ]
        : [],
  )
}

/** Of payers with tickets in events that ended in refunds; those in which all are paid are left out, oldest first. */
export async function loadOpenRefunds(db: Db): Promise<PublicRefund[]> {
  const [any] = await db.execute(sql`select from endings where kind = 'refunds' limit 1`)
  if (!any) return []
  const now = (await readClock(db)) * 1000
  const figures = await byEvent(db, sql`payer in (select payer from owed_units where ticket_count > 0)`)
  return figures.reverse().flatMap(({ eventNumber, startedAt, buyers, settledBuyers: paid }) => {
    const open = buyers - paid
    if (!startedAt || open === 0) return []
    const days = Math.floor((now - startedAt.getTime()) / 86_400_000)
    return [{ eventNumber, since: startedAt.toISOString(), days, paid, open }]
  })
}

export async function eventFigures(db: Db, eventNumber: number) {
  const figures = await byEvent(
    db,
    sql`payer in (select payer from owed_units where event_number = ${eventNumber})`,
  )
  return figures.find((one) => one.eventNumber === eventNumber) ?? { units: 0n, received: 0n }
}

/** All payments of an event that go back, whatever was paid and held: what `refundInfo` must name. */
export async function refundInfo(db: Db, eventNumber: number) {
  const [row] = await db.execute<{ tickets: number; units: string }>(sql`
    select coalesce(sum(ticket_count), 0)::int as tickets, coalesce(sum(units), 0)::text as units
    from owed_payments where event_number = ${eventNumber}`)
  return { totalTickets: row?.tickets ?? 0, totalAmount: cents(BigInt(row?.units ?? 0)) }
}

/** To somebody who is owed, since the first payment that he is owed. */
const unmarked = sql`
  select count(*)::int as count from unjudged_transfers t
  where t.block_time >= (select min(block_time) from owed_payments p where p.payer = t.payer and p.token = t.token)`

/** All lines in sums: `owed` = `paid` + `due` + `held`, without dust. */
export async function refundSummary(db: Db, minUnits: bigint) {
  type Sums = {
    state: RefundState
    isDust: boolean
    lines: number
    payers: number
    owed: string
    due: string
  }
  const [sums, events, [waiting], reports] = await Promise.all([
    db.execute<Sums>(sql`
      select state, is_dust as "isDust", count(*)::int as lines, count(*) filter (where owed > 0)::int as payers,
        sum(owed)::text as owed, sum(due)::text as due
      from (${lines(minUnits, sql`true`)}) l group by state, is_dust`),
    byEvent(db),
    db.execute<{ count: number }>(unmarked),
    db
      .select({
        transactionHash: refundReports.transactionHash,
        payers: sql<number>`cardinality(${refundReports.payers})`,
        at: refundReports.at,
      })
      .from(refundReports)
      .where(isOpenReport),
  ])
  const rows = sums.filter(({ isDust }) => !isDust)
  const dust = sums.find(({ isDust }) => isDust)
  const count = (...states: RefundState[]) =>
    total(rows.filter(({ state }) => states.includes(state)).map((one) => one.lines))
  const units = (of: 'owed' | 'due', ...states: RefundState[]) =>
    rows.filter(({ state }) => states.includes(state)).reduce((all, one) => all + BigInt(one[of]), 0n)
  const [due, held] = [units('due', 'due', 'sent'), units('due', 'held')]
  const owed = units('owed', ...refundStates)
  return {
    ...{ owed, paid: owed - due - held, due, held },
    payers: {
      owed: total(rows.map(({ payers }) => payers)),
      ...{
        due: count('due'),
        held: count('held'),
        sent: count('sent'),
        settled: count('settled', 'surplus'),
      },
    },
    dust: { payers: dust?.lines ?? 0, units: BigInt(dust?.due ?? 0) },
    unmarkedTransfers: waiting?.count ?? 0,
    reports,
    events: events.map(({ eventNumber, reason, tickets, payers, settled, units: all, received: back }) => ({
      ...{ eventNumber, isRefundMode: reason !== null, reason, payers, settled, due: all - back },
      refundInfo: { totalTickets: tickets, totalAmount: cents(all) },
    })),
  }
}

const total = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0)

export async function payerFacts(db: Db, payer: Address, minUnits: bigint) {
  const row = await lineOf(db, payer, minUnits)
  const payments = await db.execute<{
    transactionHash: Hash
    wallet: Address
    eventNumber: number
    units: string
    ticketCount: number
    reason: PaymentReason | null
    at: string
    received: string
    isOwn: boolean
  }>(sql`
    select p.transaction_hash as "transactionHash", p.wallet, p.event_number as "eventNumber", p.units,
      p.ticket_count as "ticketCount", p.reason, p.block_time as at, coalesce(c.received, 0) as received, c.id is null as "isOwn"
    from payments p left join payment_refunds c on c.id = p.id and c.payer = ${payer}
    where p.payer = ${payer} and (c.id is not null or exists (select from transfer_marks m where m.transaction_hash = p.transaction_hash
      and m.wallet = p.wallet and m.recipient = p.payer and m.marked_as = 'own'))
    order by p.block_number, p.transaction_index, p.first_log_index`)
  if (!row && payments.length === 0) return undefined
  const transfers = await db.execute<{
    transactionHash: Hash
    wallet: Address
    units: string
    at: string
    kind: 'register' | 'hand'
    markedAs: TransferMark | null
  }>(sql`
    select t.transaction_hash as "transactionHash", t.wallet, t.units, t.block_time as at, m.marked_as as "markedAs",
      case when t.total is null then 'hand' else 'register' end as kind
    from outgoing_transfers t left join transfer_marks m on m.transaction_hash = t.transaction_hash and m.wallet = t.wallet
      and m.recipient = t.recipient and m.marked_as <> 'own' and t.total is null
    where t.recipient = ${payer} order by t.block_number, t.transaction_index, t.total nulls last`)
  const { decision, holds, note, at } = refundDecisions
  const decisions = await db
    .select({ decision, holds, note, at })
    .from(refundDecisions)
    .where(eq(refundDecisions.payer, payer))
    .orderBy(asc(refundDecisions.id))
  return {
    row,
    payments: payments.map((one) => ({
      ...one,
      units: BigInt(one.units),
      received: BigInt(one.received),
      at: new Date(one.at),
    })),
    transfers: transfers.map((one) => ({ ...one, units: BigInt(one.units), at: new Date(one.at) })),
    decisions,
  }
}

/** What each payer received in all: it is counted against what he is owed, oldest first. */
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
async function byEvent(db: Db, which = sql`true`): Promise<EventFigures[]> {
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
