/** A payer's line: dues from the views of the schema, with holds and state, read from the facts each time. */
import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { exchangeWallets } from '../../core/refund/exchanges.ts'
import type { RefundHold, RefundLine, RefundState } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'

/** A state, or lines that are too small to be sent. */
export type RefundFilter = {
  minUnits: bigint
  /** The payer after whom to go on. */
  cursor?: Address | undefined
  event?: number | undefined
  state?: RefundState | 'dust' | undefined
  /** The start of an address. */
  search?: string | undefined
}

/** Payers looked at together: many where a filter leaves out most of them. */
export const chunk = 10_000

export const textArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`

/** Lines with their holds and states; `which` chooses payers as `d.payer`. What a release has lifted holds no more. */
export function lines(minUnits: bigint, which: SQL): SQL {
  const isDust = sql`(d.due > 0 and d.due < ${`${minUnits}`}::numeric and not d.had_tickets and not ${isLifted('dust')})`
  const standing: Record<RefundHold, SQL> = {
    manual: sql`w.is_held and not ${isLifted('manual')}`,
    contract: sql`c.is_contract and not ${isLifted('contract')}`,
    exchange: sql`d.payer = any(${textArray(exchangeWallets)}) and not ${isLifted('exchange')}`,
    stolen: sql`d.is_stolen and not ${isLifted('stolen')}`,
    dust: isDust,
    unchecked: sql`d.due > 0 and c.payer is null and not ${isDust}`,
    transfer: sql`d.is_unjudged`,
  }
  const holds = Object.entries(standing).map(
    ([hold, stands]) => sql`case when ${stands} then ${hold}::text end`,
  )
  return sql`
    select l.*, case when l.due < 0 then 'surplus' when l.due = 0 then 'settled' when cardinality(l.holds) > 0 then 'held'
      when l.reported is not null then 'sent' else 'due' end as state
    from (
      select d.*, r.transaction_hash as reported, ${isDust} as is_dust,
        array_remove(array[${sql.join(holds, sql`, `)}], null) as holds
      from refund_dues d
      left join payer_codes c on c.payer = d.payer
      left join (
        select payer, bool_or(decision = 'hold') as is_held, array_agg(hold) as lifted
        from refund_decisions n left join unnest(n.holds) hold on true
        where not exists (
          select from refund_decisions h where h.payer = n.payer and h.decision = 'hold' and h.id > n.id)
        group by payer
      ) w on w.payer = d.payer
      left join (
        select distinct on (payer) payer, transaction_hash from refund_reports, unnest(payers) payer
        where final_at is null and at > clock_timestamp() - interval '1 hour' order by payer, at desc
      ) r on r.payer = d.payer
      where ${which}
    ) l`
}

const isLifted = (hold: RefundHold): SQL => sql`coalesce(${hold} = any(w.lifted), false)`

type LineRow = {
  payer: Address
  token: Address
  owed: string
  by_hand: string
  by_register: string
  total: string
  due: string
  holds: RefundHold[]
  state: RefundState
  events: number[]
  tickets: number
  hash: Hash | null
}

const toLine = (row: LineRow): RefundLine => ({
  payer: row.payer,
  token: row.token,
  owed: BigInt(row.owed),
  byHand: BigInt(row.by_hand),
  byRegister: BigInt(row.by_register),
  total: BigInt(row.total),
  due: BigInt(row.due),
  state: row.state,
  holds: row.holds,
  events: row.events,
  tickets: row.tickets,
  transactionHash: row.hash,
})

/** The last transaction that paid the payer of a line `l`. */
export const lastPaid = sql`(
  select transaction_hash from (
    select transaction_hash, block_number, transaction_index from register_payments r
    where r.debtor = l.payer and r.token = l.token
    union all
    select t.transaction_hash, t.block_number, t.transaction_index
    from outgoing_transfers t join transfer_marks m using (transaction_hash, wallet, recipient)
    where t.recipient = l.payer and t.token = l.token and m.marked_as = 'refund'
  ) paid order by block_number desc, transaction_index desc limit 1)`

/** The lines of these payers that fit, by payer, as people see them. */
async function linesOf(
  db: Db,
  payers: readonly Address[],
  { minUnits, event, state }: RefundFilter,
  limit: number,
): Promise<RefundLine[]> {
  const fits =
    state === 'dust' ? sql`l.is_dust` : state ? sql`not l.is_dust and l.state = ${state}` : sql`not l.is_dust`
  const inEvent =
    event === undefined
      ? sql`true`
      : sql`exists (select from owed_payments p where p.payer = l.payer and p.event_number = ${event})`
  const rows = await db.execute<LineRow>(sql`
    select l.payer, l.token, l.owed, l.by_hand, l.by_register, l.total, l.due, to_json(l.holds) as holds, l.state,
      to_json(o.events) as events, o.tickets, case l.state when 'sent' then l.reported else ${lastPaid} end as hash
    from (select * from (${lines(minUnits, sql`d.payer = any(${textArray(payers)})`)}) l
      where ${fits} and ${inEvent} order by l.payer limit ${limit}) l
    cross join lateral (
      select coalesce(array_agg(distinct p.event_number), '{}') as events, coalesce(sum(p.ticket_count), 0)::int as tickets
      from owed_payments p where p.payer = l.payer and p.token = l.token) o
    order by l.payer`)
  return rows.map(toLine)
}

/**
 * Payers by address, found by index alone: all whose line is more than dust, and a few that `linesOf` leaves out. Dust is summed
 * in the index and never becomes a row.
 */
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
  const leftovers = sql`payments p where p.ticket_number is null and p.reason not in ('early', 'held', 'claim')`
  const arms =
    state === 'dust'
      ? [arm(sql`p.payer`, leftovers)]
      : [
          arm(
            sql`p.payer`,
            sql`payments p where p.ticket_count > 0
              and p.event_number = any(array(select event_number from outcomes where kind = 'refund'))`,
          ),
          arm(sql`p.payer`, leftovers, sql`sum(p.units) >= ${`${minUnits}`}::numeric`),
          arm(sql`r.debtor`, sql`register_payments r where true`),
          arm(sql`m.recipient`, sql`transfer_marks m where m.marked_as = 'refund'`),
          arm(sql`n.payer`, sql`refund_decisions n where true`),
        ]
  const rows = await db.execute<{ payer: Address }>(
    sql`select payer from (${sql.join(arms, sql` union `)}) found order by payer limit ${limit}`,
  )
  return rows.map(({ payer }) => payer)
}

/** Lines by payer in chunks, so that no number of payers is in memory at once. */
export async function* chunksOf(
  db: Db,
  { cursor, ...filter }: RefundFilter,
  { size = chunk, limit = size, where }: { size?: number; limit?: number; where?: (payer: SQL) => SQL } = {},
): AsyncGenerator<RefundLine[]> {
  let after: string | undefined = cursor
  for (;;) {
    const payers = await candidates(db, { ...filter, ...(after && { cursor: after }) }, size, where)
    if (payers.length > 0) yield await linesOf(db, payers, filter, limit)
    if (payers.length < size) return
    after = payers.at(-1)
  }
}

/** The line of one payer, dust too; undefined where he is owed nothing and has received nothing. */
export async function lineOf(db: Db, payer: Address, minUnits: bigint): Promise<RefundLine | undefined> {
  const [line] = await linesOf(db, [payer], { minUnits }, 1)
  return line ?? (await linesOf(db, [payer], { minUnits, state: 'dust' }, 1))[0]
}
