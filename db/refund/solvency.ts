import { eq, sql } from 'drizzle-orm'
import type { PublicSolvency } from '../../core/live/solvency.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { unpaidTokenPrizes } from '../prize/unpaid.ts'
import { solvency } from '../schema/index.ts'

/** So long a reading stands for those that fail after it. */
const lasts = sql`interval '10 minutes'`

/** What the operator owes: dues, held ones too, the money of events without an ending, and token prizes that were not sent. */
export async function requiredUnits(tx: Db): Promise<bigint> {
  const [row] = await tx.execute<{ units: string }>(sql`
    select coalesce((select sum(due) from refund_dues where due > 0), 0) + coalesce((
      select sum(p.units) from payments p where p.ticket_number is not null
        and not exists (select from outcomes o where o.event_number = p.event_number)), 0) as units`)
  return BigInt(row?.units ?? 0) + (await unpaidTokenPrizes(tx))
}

type Reading = { block: { number: bigint; timestamp: number }; held: bigint }

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
      const { block, held } = reading
      const required = await requiredUnits(tx)
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
