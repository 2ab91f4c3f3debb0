import { and, desc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { ifGiven, olderThan } from '../filter.ts'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
import { audit } from '../schema/index.ts'

export type AuditRow = Omit<typeof audit.$inferInsert, 'id' | 'at' | 'hash'>

/** SQL `null` for no value; as JSON, null would be a value. */
const json = (name: string): SQL => sql`${sql.placeholder(name)}::jsonb`
const oneRow = prepared((db) =>
  db
    .insert(audit)
    .values({
      actor: sql.placeholder('actor'),
      clientAddress: sql.placeholder('clientAddress'),
      action: sql.placeholder('action'),
      outcome: sql.placeholder('outcome'),
      before: json('before'),
      after: json('after'),
      requestId: sql.placeholder('requestId'),
    })
    .prepare('add_audit'),
)

/**
 * Adds a row to the audit log, which is append-only. The last thing that a transaction does: until it ends no other
 * can add one.
 */
export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  const { actor, action, outcome, clientAddress = null, before, after, requestId = null } = row
  await oneRow(db).execute({
    actor,
    action,
    outcome,
    clientAddress,
    requestId,
    before: asJson(before),
    after: asJson(after),
  })
}
const asJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value))

/** Adds many rows at once, in their order; as one value, since the query builder is slow with a thousand. */
export async function addAudits(db: Db, rows: readonly AuditRow[]): Promise<void> {
  await db.execute(sql`
    insert into ${audit} (actor, client_address, action, outcome, before, after, request_id)
    select actor, "clientAddress", action, outcome, before, after, "requestId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (
      actor text, "clientAddress" text, action text, outcome text, before jsonb, after jsonb, "requestId" text
    )`)
}

export type AuditFilter = {
  /** Rows older than the row of this id. */
  cursor?: number | undefined
  action?: string | undefined
  actor?: string | undefined
  outcome?: string | undefined
}

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listAudit(db: Db, filter: AuditFilter, limit = 100) {
  const where = [
    olderThan(audit.id, filter.cursor),
    ifGiven(audit.action, filter.action),
    ifGiven(audit.actor, filter.actor),
    ifGiven(audit.outcome, filter.outcome),
  ]
  const { hash: _, ...columns } = getTableColumns(audit)
  const rows = await db
    .select(columns)
    .from(audit)
    .where(and(...where))
    .orderBy(desc(audit.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
