/** What administrators did: rows that hold each other by their hashes, in partitions by month. */
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, oneRowKey, onlyOne } from './columns.ts'

/**
 * Every action of an administrator, also a refused one; triggers refuse update and delete. `id` and `hash` are given
 * by a trigger, whatever is inserted: the next place in the chain, and its hash.
 */
export const audit = pgTable(
  'audit',
  {
    /** The key is `(id, at)` in the database: a partitioned table has the column that it is parted by in its key. */
    id: bigint('id', { mode: 'number' }).primaryKey().default(0),
    /** When the transaction began; its month, in UTC, is the partition. */
    at: moment('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    clientAddress: text('client_address'),
    action: text('action').notNull(),
    /** HTTP status, or `cli`. */
    outcome: text('outcome').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
    /** SHA-256 over the hash of the row before and this row as a line: db/admin/audit-chain.ts. */
    hash: text('hash').notNull().default(''),
  },
  (t) => [index('audit_action').on(t.action, t.id)],
)

/** The last row of the chain; one row. Locked from an insert to the end of its transaction, so that nothing forks. */
export const auditChain = pgTable(
  'audit_chain',
  {
    id: oneRowKey(),
    lastId: bigint('last_id', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [onlyOne('audit_chain', t.id)],
)

/** Rows that were moved into a file. The chain in the table goes on from the hash of the last one; append-only. */
export const auditArchives = pgTable('audit_archives', {
  lastId: bigint('last_id', { mode: 'number' }).primaryKey(),
  hash: text('hash').notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
  /** The first month that was kept, as `2026-11`. */
  before: text('before').notNull(),
  fileName: text('file_name').notNull(),
  fileSha256: text('file_sha256').notNull(),
  at: moment('at').notNull().defaultNow(),
})
