import { asc, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { auditArchives } from '../schema/index.ts'
import type { Link } from './audit-chain.ts'
import { withoutAuditTriggers } from './audit-months.ts'

export type AuditArchive = typeof auditArchives.$inferSelect

/** Every archive, oldest first. */
export const listAuditArchives = (db: Db): Promise<AuditArchive[]> =>
  db.select().from(auditArchives).orderBy(asc(auditArchives.lastId))

/** `2026-11` as the first moment of the month. */
const startOf = (month: string) => sql`(${`${month}-01`}::timestamp at time zone 'UTC')`

/** Whether the month has begun by the database's clock. */
export async function hasBegun(db: Db, month: string): Promise<boolean> {
  const [clock] = await db.execute<{ begun: boolean }>(sql`select ${startOf(month)} <= now() as begun`)
  return clock?.begun === true
}

/**
 * The rows before the first one of this month or a later one. A call that was under way at midnight can lie behind
 * it in the chain: such a row stays until the next time, as an archive has no holes.
 */
export async function rowsBefore(db: Db, month: string): Promise<{ below: number; rows: number }> {
  const [stretch] = await db.execute<{ below: string; rows: number }>(sql`
    with first as (
      select coalesce(min(id) filter (where at >= ${startOf(month)}), max(id) + 1, 0) as below from audit
    )
    select below, (select count(*) from audit where id < below)::int as rows from first`)
  return { below: Number(stretch?.below ?? 0), rows: stretch?.rows ?? 0 }
}

type Archived = { below: number; rows: number; last: Link; before: string; file: string; sha256: string }

/**
 * Drops the months whose rows lie in a file now. False, with nothing changed, when the table does not hold just these
 * rows any more. Needs the owner of the tables.
 */
export function dropArchived(db: Db, archived: Archived, note: (tx: Db) => Promise<void>): Promise<boolean> {
  const { below, rows, last, before, file, sha256 } = archived
  return db.transaction(async (tx) => {
    // A backup reads the table for as long as it takes, and every audited call would wait behind this lock.
    await tx.execute(sql`set local lock_timeout = '2s'`)
    await tx.execute(sql`lock table audit in access exclusive mode`)
    const [found] = await tx.execute<{ same: boolean }>(sql`
      select count(*) = ${rows} and coalesce(bool_or(id = ${last.id} and hash = ${last.hash}), false) as same
      from audit where id < ${below}`)
    if (!found?.same) return false
    await withoutAuditTriggers(tx, async () => {
      await tx.execute(sql`
        create temporary table audit_kept on commit drop as
        select * from audit where id >= ${below} and at < ${startOf(before)}`)
      for (const month of await monthsBefore(tx, before))
        await tx.execute(sql`drop table ${sql.identifier(month)}`)
      await tx.execute(sql`delete from audit_default where at < ${startOf(before)}`)
      await tx.execute(sql`insert into audit select * from audit_kept`)
    })
    await tx.insert(auditArchives).values({
      lastId: last.id,
      hash: last.hash,
      rows,
      before,
      fileName: file,
      fileSha256: sha256,
    })
    await note(tx)
    return true
  })
}

/** Names of the partitions that end before this month. */
async function monthsBefore(tx: Db, month: string): Promise<string[]> {
  const rows = await tx.execute<{ name: string }>(sql`
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'audit'::regclass and relname <> 'audit_default'
      and relname < ${`audit_${month.replace('-', '_')}`}`)
  return rows.map(({ name }) => name)
}
