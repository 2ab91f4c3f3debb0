import type { PgTable } from 'drizzle-orm/pg-core'
import type * as schema from '../schema/index.ts'

/** The logins of the programs. Each connects as its own; the tables belong to whoever runs `db:migrate`. */
export const roles = {
  api: 'blockdraw_api',
  worker: 'blockdraw_worker',
  backup: 'blockdraw_backup',
} as const
export type RoleName = keyof typeof roles

/** The owner of database and tables where the first set-up made it: `bun run start` and compose.yaml. */
export const ownerRole = 'blockdraw_owner'

type Tables = typeof schema
type TableName = {
  [K in keyof Tables]: Tables[K] extends PgTable<infer T> ? T['name'] : never
}[keyof Tables]

type ViewName = 'owed_payments' | 'owed_units' | 'refund_dues'

/** Letters of what a program may do with the rows of a table: select, insert, update, delete. */
export type Rights = '' | 's' | 'si' | 'su' | 'sd' | 'siu' | 'sid' | 'sud' | 'siud'
type TableRights = { api: Rights; worker: Rights; backup: '' | 's' | 'si' }

/** Written once and never again, whoever writes: no program has the right to change or remove a row. */
const written = { api: 's', worker: 'si', backup: 's' } as const

/**
 * Every table of the schema: one that nobody has decided on does not compile. A program gets what it does today, and
 * a test looks at each. The commands of `bun run admin` run as the API.
 */
export const tableRights = {
  // Who may log in. No worker needs a password's hash, a second factor or a session.
  admins: { api: 'siu', worker: '', backup: 's' },
  recovery_codes: { api: 'siud', worker: '', backup: 's' },
  passkeys: { api: 'siud', worker: '', backup: 's' },
  passkey_challenges: { api: 'sid', worker: '', backup: '' },
  sessions: { api: 'siud', worker: '', backup: '' },
  // No backup brings back a word that was spent since.
  settings: { api: 'su', worker: '', backup: 's' },
  uploads: { api: 'siu', worker: '', backup: 's' },
  audit: { api: 'si', worker: '', backup: 's' },
  // Its head moves by a trigger of the owner's; rows leave it by a command that the owner runs.
  audit_chain: { api: 's', worker: 's', backup: 's' },
  audit_archives: { api: 's', worker: '', backup: 's' },

  // What was promised, and what became of it.
  events: { api: 'siu', worker: 'su', backup: 's' },
  event_settings: { api: 'su', worker: 's', backup: 's' },
  terms_draft: { api: 'su', worker: 's', backup: 's' },
  // What an event raffles: a saved version is never changed, a correction neither.
  contents: { api: 'si', worker: 's', backup: 's' },
  content_draft: { api: 'su', worker: '', backup: 's' },
  corrections: { api: 'si', worker: '', backup: 's' },
  // A trigger of the owner's adds the wallet of an event.
  operator_wallets: { api: 'su', worker: 'su', backup: 's' },
  wallet_proofs: { api: 'si', worker: 'sud', backup: 's' },
  changes: { api: 'si', worker: 'si', backup: 's' },
  // `stop-sale` is the administrator's.
  endings: { api: 'si', worker: 'si', backup: 's' },
  public_version: { api: 'su', worker: 'su', backup: 's' },
  schema_major: { api: 's', worker: 's', backup: 's' },

  // Payments are never changed, and taken off the record by a rewind alone.
  claims: { api: 'siu', worker: 'sud', backup: 's' },
  payments: { api: 's', worker: 'sid', backup: 's' },
  scan_cursor: { api: 's', worker: 'siud', backup: 's' },
  second_reading: { api: 's', worker: 'siud', backup: 's' },
  node_watch: { api: 's', worker: 'su', backup: 's' },
  reports: { api: 's', worker: 'siu', backup: 's' },

  draws: written,
  draw_blocks: written,
  beacon_rounds: written,
  // Anybody may hand the beacon's round in.
  beacons: { api: 'si', worker: 'si', backup: 's' },
  anchor_sends: written,
  // A rewind takes anchors back.
  anchors: { api: 's', worker: 'sid', backup: 's' },
  wanted_draws: { api: 'sid', worker: 's', backup: 's' },

  // What was signed and said of prizes is only added; whose turn it is, is computed.
  prize_claims: { api: 'si', worker: 's', backup: 's' },
  prize_events: { api: 'si', worker: 's', backup: 's' },

  // A version that somebody has accepted stays as it was.
  legal_texts: { api: 'si', worker: '', backup: 's' },
  house_rules: { api: 'su', worker: '', backup: 's' },
  // Triggers of the owner's add what is told. The sweeper adds what none can see, a test is the API's, and what happens
  // outside of the database is the backup service's. A worker sends, and cannot change where to.
  notifications: { api: 'si', worker: 'si', backup: 'si' },
  channels: { api: 'siu', worker: 's', backup: 's' },
  deliveries: { api: 'siu', worker: 'sud', backup: 's' },

  // Who is owed what is a view of facts: chain facts are the worker's alone, an administrator's word is the API's.
  owed_payments: { api: 's', worker: 's', backup: '' },
  owed_units: { api: 's', worker: 's', backup: '' },
  refund_dues: { api: 's', worker: 's', backup: '' },
  house_book: { api: 's', worker: 's', backup: 's' },
  terms_versions: { api: 's', worker: 's', backup: 's' },
  outgoing_transfers: { api: 's', worker: 'sid', backup: 's' },
  register_payments: { api: 's', worker: 'sid', backup: 's' },
  outgoing_cursor: { api: 's', worker: 'siud', backup: 's' },
  payer_codes: { api: 's', worker: 'siu', backup: 's' },
  transfer_marks: { api: 'siud', worker: 's', backup: 's' },
  own_money: { api: 'sid', worker: 's', backup: 's' },
  refund_decisions: { api: 'si', worker: 's', backup: 's' },
  refund_reports: { api: 'siu', worker: 'su', backup: 's' },
  solvency: { api: 's', worker: 'siu', backup: 's' },
} as const satisfies Record<TableName | ViewName, TableRights>
