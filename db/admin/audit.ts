import { and, desc, sql } from 'drizzle-orm'
import { ifGiven, olderThan } from '../filter.ts'
import type { Db } from '../index.ts'
import { audit } from '../schema/index.ts'

export type AuditRow = Omit<typeof audit.$inferInsert, 'id' | 'at'>

/** Adds a row to the audit list. Number and moment are the database's: no program may choose them. */
export async function addAudit(db: Db, row: AuditRow): Promise<void> {
  await db.execute(sql`
    insert into ${audit} (actor, client_address, action, outcome, before, after, request_id)
    select actor, "clientAddress", action, outcome, before, after, "requestId"
    from jsonb_to_recordset(${JSON.stringify([row])}::jsonb) as row (
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
  const rows = await db
    .select()
    .from(audit)
    .where(and(...where))
    .orderBy(desc(audit.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
