import { eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { PublicSolvency } from '../../core/live/public.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { unpaidTokenPrizes } from '../prize/prizes.ts'
import { solvency } from '../schema/index.ts'

/** So long a reading stands for those that fail after it. */
const lasts = sql`interval '10 minutes'`

/**
 * What the operator owes: dues, held ones too, the money of events without an ending, and token prizes that were not sent.
 * @internal
 */
export async function requiredUnits(tx: Db): Promise<bigint> {
  const [row] = await tx.execute<{ units: string }>(sql`
    select coalesce((select sum(due) from refund_dues where due > 0), 0) + coalesce((
      select sum(p.units) from payments p where p.ticket_number is not null
        and not exists (select from endings o where o.event_number = p.event_number)), 0) as units`)
  return BigInt(row?.units ?? 0) + (await unpaidTokenPrizes(tx))
}

/** On a quiet chain it is read once a minute; where money has left a wallet, at once. */
const quiet = sql`interval '1 minute'`

export type SolvencyPlace = {
  block: { number: bigint; hash: Hash; timestamp: number }
  required: bigint
  /** Without stolen ones. */
  wallets: Address[]
  tokens: Address[]
}

/**
 * The final block up to which payments and outgoing money are both on record, and what is owed there. Undefined while one of
 * them is behind, and where nothing is to be read again.
 */
export async function solvencyPlace(db: Db): Promise<SolvencyPlace | undefined> {
  // One snapshot: no block is folded between the place and its sums.
  return db.transaction(
    async (tx) => {
      const [row] = await tx.execute<{
        height: string
        hash: Hash
        time: string
        wallets: Address[]
        tokens: Address[]
      }>(sql`
        select s.height, s.hash, extract(epoch from s.block_time) as time,
          (select coalesce(array_agg(address order by address), '{}') from operator_wallets where stolen_from is null) as wallets,
          (select array_agg(distinct token) from events) as tokens
        from scan_cursor s join outgoing_cursor o on o.height = s.height and o.hash = s.hash left join solvency v on true
        where v.height is null or s.block_time >= v.block_time + ${quiet}
          or exists (select from outgoing_transfers where block_number > v.height)
          or exists (select from register_payments where block_number > v.height)`)
      if (!row) return undefined
      const { height, hash, time, wallets, tokens } = row
      const block = { number: BigInt(height), hash, timestamp: Number(time) }
      return { block, required: await requiredUnits(tx), wallets, tokens }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

type Reading = {
  block: { number: bigint; timestamp: number }
  held: bigint
  /** What was owed at that block; left out: what is owed now. */
  required?: bigint
}

/** Keeps what the wallets held at a final block beside what was owed; `unread` where no two endpoints said the same. */
export async function noteSolvency(db: Db, reading: Reading | 'unread'): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(solvency).for('update')
    if (reading === 'unread') {
      await tx
        .insert(solvency)
        .values({ state: 'unknown' })
        .onConflictDoUpdate({
          target: solvency.id,
          set: {
            state: 'unknown',
            since: sql`case when ${solvency.state} = 'unknown' then ${solvency.since} else ${solvency.readAt} end`,
            readAt: sql`clock_timestamp()`,
          },
          setWhere: sql`${solvency.state} = 'unknown' or ${solvency.readAt} < clock_timestamp() - ${lasts}`,
        })
    } else {
      const { block, held, required = await requiredUnits(tx) } = reading
      const state = held >= required ? ('covered' as const) : ('short' as const)
      const values = {
        ...{ state, held, required, height: block.number, blockTime: new Date(block.timestamp * 1000) },
        ...(before?.state !== state && { since: sql`clock_timestamp()` }),
        readAt: sql`clock_timestamp()`,
      }
      await tx.insert(solvency).values(values).onConflictDoUpdate({ target: solvency.id, set: values })
    }
    const [after] = await tx.select().from(solvency).where(eq(solvency.id, 1))
    if (told(before) !== told(after)) await bumpVersion(tx)
  })
}

/** What people see change: state and cents. */
const told = (row: typeof solvency.$inferSelect | undefined): string =>
  `${row?.state} ${[row?.held, row?.required].map((units) => (units ?? 0n) / 10n ** 16n)}`

/** The last reading; `unknown` also where no worker has noted anything for ten minutes. */
export async function loadSolvency(db: Db): Promise<PublicSolvency> {
  const [row] = await db
    .select({
      row: solvency,
      isOld: sql<boolean>`${solvency.readAt} < clock_timestamp() - ${lasts}`,
    })
    .from(solvency)
  if (!row) return { state: 'unknown', held: null, required: null, block: null }
  const { state, held, required, height, blockTime } = row.row
  return {
    state: row.isOld ? 'unknown' : state,
    held: held === null ? null : `${held}`,
    required: required === null ? null : `${required}`,
    block:
      height === null || blockTime === null
        ? null
        : { number: Number(height), timestamp: blockTime.getTime() / 1000 },
  }
}

/** What came back: all that a payer received is counted against what he is owed, oldest first, by payment and by event alike. */

/** What each payer received in all. */
const received = (which: SQL): SQL => sql`
  select payer, token, sum(by_hand) + max(total) as units from refund_receipts where ${which} group by payer, token`

/** What each payer is owed up to each row of `p`, and how much of the row that leaves of what he received: the oldest come first. */
const upTo = (order: SQL): SQL =>
  sql`sum(p.units) over (partition by p.payer, p.token order by ${order}) as up_to`
const share = sql`greatest(0, least(p.units, coalesce(r.units, 0) + p.units - p.up_to)) as received`

type EventFigures = {
  eventNumber: number
  reason: RefundCause | null
  startedAt: Date | null
  tickets: number
  payers: number
  settled: number
  /** Payers with tickets. */
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
        select p.*, ${upTo(sql`p.event_number`)} from (
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
