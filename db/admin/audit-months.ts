import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'

const monthsAhead = 12

/**
 * Makes the partitions of the audit list for this month and the next 12, and moves what lies in the default one
 * into months of its own. Needs the owner of the tables; twice is safe, and locks nothing when all is there.
 */
export async function makeAuditMonths(db: Db): Promise<void> {
  if (!(await isPartitioned(db)) || (await missingMonths(db)).length === 0) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table audit in access exclusive mode`)
    await withoutAuditTriggers(tx, async () => {
      // A month is not made beside rows of it in the default partition.
      const months = await missingMonths(tx)
      await tx.execute(sql`create temporary table audit_moved on commit drop as select * from audit_default`)
      await tx.execute(sql`delete from audit_default`)
      for (const month of months) await tx.execute(sql`select make_audit_month(${month}::date)`)
      await tx.execute(sql`insert into audit select * from audit_moved`)
    })
  })
}

/** For moves that change no row. The caller holds the table locked, so that nobody else writes meanwhile. */
export async function withoutAuditTriggers(tx: Db, move: () => Promise<void>): Promise<void> {
  await tx.execute(sql`alter table audit disable trigger user`)
  await move()
  await tx.execute(sql`alter table audit enable trigger user`)
}

/** False before the migration that parts the list. */
async function isPartitioned(db: Db): Promise<boolean> {
  const [table] = await db.execute(
    sql`select from pg_class where oid = to_regclass('public.audit') and relkind = 'p'`,
  )
  return table !== undefined
}

/** First days of months in UTC. What lies far off, by a wrong clock or a thief, stays in the default partition. */
async function missingMonths(db: Db): Promise<string[]> {
  const rows = await db.execute<{ month: string }>(sql`
    with clock as (
      select this, this + ${`${monthsAhead} months`}::interval as latest
      from (select date_trunc('month', now() at time zone 'UTC')) as utc(this)
    )
    select month::date::text as month from (
      select generate_series(this, latest, interval '1 month') from clock
      union select date_trunc('month', at at time zone 'UTC') from audit_default, clock
      where at >= '2020-01-01Z' and at < (latest + interval '1 month') at time zone 'UTC'
    ) as wanted(month)
    where to_regclass('public.audit_' || to_char(month, 'YYYY_MM')) is null
    order by 1`)
  return rows.map(({ month }) => month)
}
