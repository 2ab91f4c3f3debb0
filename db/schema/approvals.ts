/** The word of a second administrator, where TWO_PERSON asks for one. */
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { AdminAction } from '../../core/admin/roles.ts'
import type { AskedCall } from '../../core/admin/second-person.ts'
import { admins } from './admins.ts'
import { moment } from './columns.ts'

/**
 * What one administrator asked for and another one allows: it counts once, for this action and payload alone. A trigger
 * refuses any other step, whoever writes.
 */
export const approvals = pgTable(
  'approvals',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    action: text('action').$type<AdminAction>().notNull(),
    /** SHA-256 of action, values of the call and state before it, as canonical JSON. */
    payloadSha256: text('payload_sha256').notNull(),
    /** The event that was open. */
    eventNumber: integer('event_number'),
    /** As the audit list would show it. */
    before: jsonb('before'),
    after: jsonb('after'),
    /** What is sent again to carry it out. */
    request: jsonb('request').$type<AskedCall>().notNull(),
    askedBy: integer('asked_by')
      .notNull()
      .references(() => admins.id),
    askedAt: moment('asked_at').notNull(),
    endsAt: moment('ends_at').notNull(),
    approvedBy: integer('approved_by').references(() => admins.id),
    approvedAt: moment('approved_at'),
    closedBy: integer('closed_by').references(() => admins.id),
    closedAt: moment('closed_at'),
    /** Refused by another, withdrawn by who asked, or replaced by the same call on another state. */
    closed: text('closed').$type<'refused' | 'withdrawn' | 'replaced'>(),
    usedAt: moment('used_at'),
  },
  (t) => [
    index('approvals_asked').on(t.askedBy, t.action),
    check('approvals_day', sql`${t.endsAt} = ${t.askedAt} + interval '24 hours'`),
    check('approvals_other', sql`${t.approvedBy} <> ${t.askedBy}`),
    check('approvals_both', sql`(${t.approvedBy} is null) = (${t.approvedAt} is null)`),
    check(
      'approvals_closed',
      sql`${t.closed} in ('refused', 'withdrawn', 'replaced')
        and (${t.closed} is null) = (${t.closedAt} is null) and (${t.closed} is null) = (${t.closedBy} is null)`,
    ),
    check(
      'approvals_used',
      sql`${t.usedAt} is null or (${t.approvedAt} is not null and ${t.closedAt} is null and ${t.usedAt} < ${t.endsAt})`,
    ),
  ],
)
