import { eq, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import type { PublicSolvency } from '../../core/live/public.ts'
import { bumpVersion } from '../event/terms.ts'
import { type Db, snapshot } from '../index.ts'
import { unpaidTokenPrizes } from '../prize/shown.ts'
import { solvency } from '../schema/index.ts'

/** So long a reading stands for those that fail after it. */
const lasts = sql`interval '10 minutes'`

/** Dues, held ones too, the money of events without an ending, and token prizes that were not sent. @internal */
export async function requiredUnits(tx: Db): Promise<bigint> {
  const [row] = await tx.execute<{ units: string }>(sql`
    select coalesce((select sum(due) from refund_dues where due > 0), 0) + coalesce((
      select sum(p.units) from payments p where p.ticket_number is not null
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
        from scan_cursor s join outgoing_cursor o on o.height = s.height and o.hash = s.hash left join solvency v on true
        where v.height is null or s.block_time >= v.block_time + ${quiet}
          or exists (select from outgoing_transfers where block_number > v.height)
          or exists (select from register_payments where block_number > v.height)`)
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
