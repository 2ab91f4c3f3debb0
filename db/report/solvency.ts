import { eq, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { Cover, PublicSolvency } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import { bumpVersion } from '../event/terms.ts'
import { type Db, snapshot } from '../index.ts'
import { unpaidTokenPrizes } from '../prize/shown.ts'
import { reports } from '../schema/index.ts'

/** So long a reading stands for those that fail after it. */
const lasts = sql`interval '10 minutes'`

/** Dues, held ones too, the money of events without an ending, and token prizes that were not sent. @internal */
export async function requiredUnits(tx: Db): Promise<bigint> {
  const [row] = await tx.execute<{ units: string }>(sql`
    select coalesce((select sum(due) from refund_dues where due > 0), 0) + coalesce((
      select sum(p.units) from payments p where p.ticket_number is not null and (p.lost_at is null or p.found_at is not null)
        and not exists (select from endings o where o.event_number = p.event_number)), 0) as units`)
  return BigInt(row?.units ?? 0) + (await unpaidTokenPrizes(tx))
}

/** On a quiet chain it is read once a minute; where money has left a wallet, at once. */
const quiet = sql`interval '1 minute'`

export type SolvencyPlace = NonNullable<Awaited<ReturnType<typeof solvencyPlace>>>

/** Where payments and outgoing money are both on record, and what is owed there. Undefined where it was read already. */
export async function solvencyPlace(db: Db) {
  // One snapshot: no block is folded between the place and its sums.
  return snapshot(db, async (tx) => {
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
        from cursors s join cursors o on o.height = s.height and o.hash = s.hash left join (
          select (facts ->> 'height')::bigint as height, to_timestamp((facts ->> 'time')::bigint) as block_time
          from reports where name = 'solvency') v on true
        where s.name = 'payments' and o.name = 'outgoing' and (v.height is null or s.block_time >= v.block_time + ${quiet}
          or exists (select from outgoing_transfers where block_number > v.height))`)
    if (!row) return undefined
    const { height, hash, time, wallets, tokens } = row
    const block = { number: BigInt(height), hash, timestamp: Number(time) }
    return { block, required: await requiredUnits(tx), wallets, tokens }
  })
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
    const [before] = await tx.select().from(reports).where(isSolvency).for('update')
    const now = sql`clock_timestamp()`
    if (reading === 'unread') {
      await tx
        .insert(reports)
        .values({ name: 'solvency', state: 'unknown', since: now })
        .onConflictDoUpdate({
          target: reports.name,
          set: {
            state: 'unknown',
            since: sql`case when ${reports.state} = 'unknown' then ${reports.since} else ${reports.at} end`,
            at: now,
          },
          setWhere: sql`${reports.state} = 'unknown' or ${reports.at} < clock_timestamp() - ${lasts}`,
        })
    } else {
      const { block, held, required = await requiredUnits(tx) } = reading
      const state = held >= required ? ('covered' as const) : ('short' as const)
      const facts: Facts = {
        ...{ held: `${held}`, required: `${required}` },
        ...{ height: Number(block.number), time: block.timestamp },
      }
      const set = { state, facts, ...(before?.state !== state && { since: now }), at: now }
      await tx
        .insert(reports)
        .values({ name: 'solvency', since: now, ...set })
        .onConflictDoUpdate({ target: reports.name, set })
    }
    const [after] = await tx.select().from(reports).where(isSolvency)
    if (told(before) !== told(after)) await bumpVersion(tx)
  })
}

/** Empty where nothing was ever read. */
type Facts = { held: string; required: string; height: number; time: number }
const isSolvency = eq(reports.name, 'solvency')

/** What people see change: state and cents. */
const told = (row: typeof reports.$inferSelect | undefined): string => {
  const { held = 0, required = 0 } = (row?.facts ?? {}) as Partial<Facts>
  return `${row?.state} ${[held, required].map((units) => centsOf(BigInt(units)))}`
}

/** The last reading; `unknown` also where no worker has noted anything for ten minutes. */
export async function loadSolvency(db: Db): Promise<PublicSolvency> {
  const [row] = await db
    .select({
      state: sql<Cover>`case when ${reports.at} < clock_timestamp() - ${lasts} then 'unknown' else ${reports.state} end`,
      facts: sql<Partial<Facts>>`${reports.facts}`,
    })
    .from(reports)
    .where(isSolvency)
  const { held = null, required = null, height, time } = row?.facts ?? {}
  const block = height === undefined || time === undefined ? null : { number: height, timestamp: time }
  return { state: row?.state ?? 'unknown', held, required, block }
}
