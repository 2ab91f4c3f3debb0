import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import exchanges from '../../core/refund/exchanges.json'
import type { RefundHold, RefundState } from '../../core/refund/rules.ts'
import { mustLockEvent } from '../event/events.ts'
import { bumpVersion, setState } from '../event/terms.ts'
import type { Db } from '../index.ts'

/** A state, or lines that are too small to be sent. */
export type RefundFilter = {
  minUnits: bigint
  cursor?: Address | undefined
  event?: number | undefined
  state?: RefundState | 'dust' | undefined
  search?: string | undefined
}

/** From which exchanges pay out, lower case: money sent back there reaches the exchange, not its customer. */
const exchangeWallets = Object.values(exchanges).flat()

/** Payers looked at together: many where a filter leaves out most of them. */
export const chunk = 10_000

const textArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`

/** `which` chooses payers as `d.payer`. `offset 0`: holds and state are worked out once a line. */
export function lines(minUnits: bigint, which: SQL): SQL {
  const isDust = sql`d.due > 0 and d.due < ${`${minUnits}`}::numeric and not d.had_tickets and not ${isLifted('dust')}`
  const standing: Record<RefundHold, SQL> = {
    manual: sql`w.is_held and not ${isLifted('manual')}`,
    contract: sql`c.is_contract and not ${isLifted('contract')}`,
    exchange: sql`d.payer = any(${textArray(exchangeWallets)}) and not ${isLifted('exchange')}`,
    // A release lifts what was paid before it.
    stolen: sql`d.stolen_at is not null and coalesce(d.stolen_at > w.stolen_released, true)`,
    dust: isDust,
    unchecked: sql`c.payer is null and d.due > 0 and not (${isDust})`,
    transfer: sql`d.is_unjudged`,
  }
  const all = Object.entries(standing)
  const each = all.map(([hold, stands]) => sql`${stands} as ${sql.identifier(`is_${hold}`)}`)
  const names = all.map(([hold]) => sql`l.${sql.identifier(`is_${hold}`)}`)
  const told = all.map(([hold], index) => sql`case when ${names[index]} then ${hold}::text end`)
  return sql`
    select l.*, array_remove(array[${sql.join(told, sql`, `)}], null) as holds,
      case when l.due < 0 then 'surplus' when l.due = 0 then 'settled' when ${sql.join(names, sql` or `)} then 'held'
        when l.reported is not null then 'sent' else 'due' end as state
    from (
      select d.payer, d.token, d.owed, d.by_hand, d.by_register, d.total, d.due, r.transaction_hash as reported,
        ${sql.join(each, sql`, `)}
      from refund_dues d
      left join payer_codes c on c.payer = d.payer
      left join (
        select payer, bool_or(decision = 'hold') as is_held, array_agg(hold) as lifted, max(n.at) filter (where hold = 'stolen') as stolen_released
        from refund_decisions n left join unnest(n.holds) hold on true
        where not exists (
          select from refund_decisions h where h.payer = n.payer and h.decision = 'hold' and h.id > n.id)
        group by payer
      ) w on w.payer = d.payer
      left join (
        select distinct on (payer) payer, transaction_hash from refund_reports, unnest(payers) payer
        where final_at is null and at > clock_timestamp() - interval '1 hour' order by payer, at desc
      ) r on r.payer = d.payer
      where ${which} offset 0
    ) l offset 0`
}

const isLifted = (hold: RefundHold): SQL => sql`coalesce(${hold} = any(w.lifted), false)`

/** What of a line the sums need; the rest is looked up for the lines that are shown. */
export type Dues = ReturnType<typeof toDues>

type LineRow = { payer: Address; token: Address; holds: RefundHold[]; state: RefundState } & Record<
  'owed' | 'by_hand' | 'by_register' | 'total' | 'due',
  string
>
const columns = sql`l.payer, l.token, l.owed, l.by_hand, l.by_register, l.total, l.due, to_json(l.holds) as holds, l.state`

const toDues = ({ payer, token, holds, state, ...row }: LineRow) => ({
  ...{ payer, token, holds, state },
  ...{ owed: BigInt(row.owed), byHand: BigInt(row.by_hand), byRegister: BigInt(row.by_register) },
  ...{ total: BigInt(row.total), due: BigInt(row.due) },
})

/** The last transaction that paid each payer back; `which` chooses by `payer`. */
const lastPaid = (which: SQL): SQL => sql`
  select distinct on (payer, token) payer, token, transaction_hash from refund_receipts where ${which}
  order by payer, token, block_number desc, transaction_index desc`

/** Every line with something due that is no dust, in the token of the open event, by payer: one question, however many there are. */
export async function openLines(db: Db, { minUnits, event }: Pick<RefundFilter, 'minUnits' | 'event'>) {
  const which = sql`d.due > 0 and d.token = (select token from events where archived_at is null)`
  const rows = await db.execute<LineRow>(sql`
    select ${columns} from (${lines(minUnits, which)}) l where not l.is_dust
      and ${event === undefined ? sql`true` : sql`l.payer in (select payer from owed_payments where event_number = ${event})`}
    order by l.payer`)
  return rows.map(toDues)
}

function fitting(payers: readonly Address[], { minUnits, event, state }: RefundFilter): SQL {
  const fits =
    state === 'dust' ? sql`l.is_dust` : state ? sql`not l.is_dust and l.state = ${state}` : sql`not l.is_dust`
  const inEvent =
    event === undefined
      ? sql`true`
      : sql`exists (select from owed_payments p where p.payer = l.payer and p.event_number = ${event})`
  return sql`select l.* from (${lines(minUnits, sql`d.payer = any(${textArray(payers)})`)}) l where ${fits} and ${inEvent}`
}

/** What a payer is owed and has received, in whole units; the hash is of the last transaction that paid him, or the reported one. */
export type RefundLine = Awaited<ReturnType<typeof shownLines>>[number]

async function shownLines(db: Db, payers: readonly Address[], filter: RefundFilter, limit: number) {
  const which = sql`payer = any(array(select payer from l))`
  const rows = await db.execute<LineRow & { events: number[]; tickets: number; hash: Hash | null }>(sql`
    with l as materialized (${fitting(payers, filter)} order by l.payer limit ${limit})
    select ${columns}, coalesce(o.events, '[]') as events, coalesce(o.tickets, 0) as tickets,
      case l.state when 'sent' then l.reported else h.transaction_hash end as hash
    from l left join (
      select payer, token, json_agg(distinct event_number) as events, sum(ticket_count)::int as tickets
      from owed_payments where ${which} group by payer, token) o using (payer, token)
    left join (${lastPaid(which)}) h using (payer, token) order by l.payer`)
  return rows.map((row) => ({
    ...toDues(row),
    ...{ events: row.events, tickets: row.tickets, transactionHash: row.hash },
  }))
}

/** By index alone: all whose line is more than dust, and a few more. Dust is summed in the index and never becomes a row. */
async function candidates(
  db: Db,
  {
    minUnits,
    cursor = '0x',
    search = '',
    state,
  }: Omit<RefundFilter, 'event' | 'cursor'> & { cursor?: string },
  limit: number,
  where: (payer: SQL) => SQL = () => sql`true`,
): Promise<Address[]> {
  const start = search.toLowerCase()
  const arm = (payer: SQL, from: SQL, having = sql`true`) => sql`(
    select ${payer} as payer from ${from} and ${payer} > ${cursor} and ${payer} >= ${start} and ${payer} < ${`${start}g`}
      and ${where(payer)} group by ${payer} having ${having} order by ${payer} limit ${limit})`
  const leftovers = sql`payments p where p.ticket_number is null and p.reason not in ('early', 'held')`
  const arms =
    state === 'dust'
      ? [arm(sql`p.payer`, leftovers)]
      : [
          arm(
            sql`p.payer`,
            sql`payments p where p.ticket_count > 0
              and p.event_number = any(array(select event_number from endings where kind = 'refunds'))`,
          ),
          arm(sql`p.payer`, leftovers, sql`sum(p.units) >= ${`${minUnits}`}::numeric`),
          arm(sql`t.recipient`, sql`outgoing_transfers t where t.total is not null`),
          arm(sql`m.recipient`, sql`transfer_marks m where m.marked_as = 'refund'`),
          arm(sql`n.payer`, sql`refund_decisions n where true`),
        ]
  const rows = await db.execute<{ payer: Address }>(
    sql`select payer from (${sql.join(arms, sql` union `)}) found order by payer limit ${limit}`,
  )
  return rows.map(({ payer }) => payer)
}

/** All payers by address, so many at once; what is read of them is the caller's choice. */
async function* chunksOf(
  db: Db,
  { cursor, ...filter }: RefundFilter,
  size: number,
  where?: (payer: SQL) => SQL,
): AsyncGenerator<Address[]> {
  let after: string | undefined = cursor
  for (;;) {
    const payers = await candidates(db, { ...filter, ...(after && { cursor: after }) }, size, where)
    if (payers.length > 0) yield payers
    if (payers.length < size) return
    after = payers.at(-1)
  }
}

export async function* eachChunk(
  db: Db,
  filter: RefundFilter,
  where?: (payer: SQL) => SQL,
): AsyncGenerator<Dues[]> {
  for await (const payers of chunksOf(db, filter, chunk, where)) {
    const rows = await db.execute<LineRow>(
      sql`select ${columns} from (${fitting(payers, filter)}) l order by l.payer`,
    )
    yield rows.map(toDues)
  }
}

/** Lines as people see them, `atOnce` looked up together, and of them at most `limit`. */
export async function* shownChunks(
  db: Db,
  filter: RefundFilter,
  { atOnce, limit = atOnce }: { atOnce: number; limit?: number },
): AsyncGenerator<RefundLine[]> {
  for await (const payers of chunksOf(db, filter, atOnce)) yield await shownLines(db, payers, filter, limit)
}

/** The line of one payer, dust too; undefined where he is owed nothing and has received nothing. */
export async function lineOf(db: Db, payer: Address, minUnits: bigint): Promise<RefundLine | undefined> {
  const [line] = await shownLines(db, [payer], { minUnits }, 1)
  return line ?? (await shownLines(db, [payer], { minUnits, state: 'dust' }, 1))[0]
}

/** Returns what it was. In refund mode only (else MIN_REACHED or SALES_OPEN): nothing is announced that will not come. */
export async function setRefundNotice(db: Db, active: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const event = await mustLockEvent(tx)
    if (active && !event.refundModeAt)
      throw event.ticketsSold >= event.minTickets
        ? new RaffleError('MIN_REACHED')
        : new RaffleError('SALES_OPEN', { reason: 'notice' })
    if (event.refundNotice === active) return active
    await setState(tx, event, { refundNotice: active })
    await bumpVersion(tx)
    return event.refundNotice
  })
}
