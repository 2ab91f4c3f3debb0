import { eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { refundBatches, refundRows } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import type { RefundScope } from './totals.ts'

/** Rows whose payers have not been looked up on chain yet, oldest first. */
export async function uncheckedRows(db: Db, limit: number): Promise<{ id: number; payer: Address }[]> {
  return db
    .select({ id: refundRows.id, payer: refundRows.payer })
    .from(refundRows)
    .where(sql`${refundRows.checkedAt} is null`)
    .orderBy(refundRows.id)
    .limit(limit)
}

/** Number of rows of a scope whose payers have not been looked up on chain yet. */
export async function countUnchecked(db: Db, { kind, eventNumber }: RefundScope): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(refundRows)
    .innerJoin(refundBatches, eq(refundBatches.id, refundRows.batchId))
    .where(
      sql`${refundRows.checkedAt} is null and ${refundBatches.kind} = ${kind} and ${refundBatches.eventNumber} = ${eventNumber}`,
    )
  return row?.count ?? 0
}

/**
 * Records that the payers of these rows were looked up; contracts are held, also where another hold has been released. Safe to run twice. Whoever writes several
 * rows holds the lock of the books, as two that met the rows in different orders would wait for each other.
 */
export async function noteChecked(
  db: Db,
  ids: readonly number[],
  contracts: readonly number[],
): Promise<void> {
  const list = (numbers: readonly number[]) => sql`any(${sql.param(numbers.map(String))}::text[]::bigint[])`
  await db.transaction(async (tx) => {
    await lockRefunds(tx)
    await tx.execute(sql`
      update ${refundRows} r set checked_at = now(), hold = now.hold,
        released_at = case when now.hold is not distinct from r.hold then r.released_at end
      from (
        select id, case when id = ${list(contracts)} and coalesce(hold, 'dust') not in ('exchange', 'early', 'lost')
          and recipient = payer then 'contract' else hold end as hold
        from ${refundRows} where id = ${list(ids)} and checked_at is null
      ) now where now.id = r.id`)
  })
}
