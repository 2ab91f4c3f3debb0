import { bigserial, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Every action of an administrator, also a refused one. Rows are only added: a trigger refuses the rest, and logs each. */
export const audit = pgTable(
  'audit',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    clientAddress: text('client_address'),
    action: text('action').notNull(),
    /** HTTP status, or `cli`. */
    outcome: text('outcome').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
  },
  (t) => [index('audit_action').on(t.action, t.id)],
)
