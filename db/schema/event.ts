/** The event, its terms and settings, and the public list of its changes. */
import { sql } from 'drizzle-orm'
import { bigint, bigserial, boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { address, moment, units } from './columns.ts'

/** A raffle. Its terms are stored with it, so a changed environment never changes what was sold. */
export const events = pgTable(
  'events',
  {
    number: integer('number').primaryKey(),
    ticketPrice: units('ticket_price').notNull(),
    saleLeadSeconds: integer('sale_lead_seconds').notNull(),
    operatorWallet: address('operator_wallet'),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    token: address('token').notNull(),
    minTickets: integer('min_tickets').notNull(),
    saleStart: moment('sale_start').notNull(),
    drawDate: moment('draw_date'),
    saleEnd: moment('sale_end'),
    googleFormUrl: text('google_form_url'),
    ticketsSold: integer('tickets_sold').notNull().default(0),
    /** Set together when every block before the sale end is final and scanned. */
    frozenAt: moment('frozen_at'),
    ledgerSha256: text('ledger_sha256').$type<Hex>(),
    ledgerLines: integer('ledger_lines'),
    /** Set at the freeze: the whole sale was read a second time, with the same payments. */
    secondReading: boolean('second_reading'),
    /** `stop-sale`: the operator ended the sale into refund mode. */
    stoppedAt: moment('stopped_at'),
    refundModeAt: moment('refund_mode_at'),
    refundNotice: boolean('refund_notice').notNull().default(false),
    /** A missed payment or a reorg below finality: sales wait until an administrator resumes them. */
    haltedAt: moment('halted_at'),
    winnerClearedAt: moment('winner_cleared_at'),
    /** The last draw after a clear: the same winner is announced again 10 s after it. */
    redrawnAt: moment('redrawn_at'),
    walletProvenAt: moment('wallet_proven_at'),
    archivedAt: moment('archived_at'),
    /** Optimistic lock of the administrator's form. */
    revision: integer('revision').notNull().default(1),
  },
  (t) => [
    uniqueIndex('events_one_open').on(sql`(${t.archivedAt} is null)`).where(sql`${t.archivedAt} is null`),
    check('events_terms', sql`${t.ticketPrice} > 0 and ${t.saleLeadSeconds} >= 10`),
    check('events_min', sql`${t.minTickets} between 1 and 10000000`),
    check('events_sold', sql`${t.ticketsSold} >= 0`),
    check(
      'events_dates',
      sql`(${t.drawDate} is null) = (${t.saleEnd} is null) or ${t.stoppedAt} is not null`,
    ),
    check(
      'events_frozen',
      sql`(${t.frozenAt} is null) = (${t.ledgerSha256} is null) and (${t.frozenAt} is null) = (${t.ledgerLines} is null)`,
    ),
  ],
)

/** Every wallet that tickets were ever paid to; former ones are still watched. */
export const operatorWallets = pgTable('operator_wallets', {
  address: address('address').primaryKey(),
  since: moment('since').notNull().defaultNow(),
  /** From blocks of this time on it buys nothing; null until a signature or a frozen ledger shows that it is ours. */
  ownSince: moment('own_since'),
})

/** Contents of the Next Event section; one row. */
export const eventSettings = pgTable(
  'event_settings',
  {
    id: integer('id').primaryKey().default(1),
    prizeImageUrl: text('prize_image_url'),
    prizeValue: text('prize_value'),
    prizeDescription: text('prize_description'),
    eventStartDate: moment('event_start_date'),
    isActive: boolean('is_active').notNull().default(false),
    updatedAt: moment('updated_at'),
  },
  (t) => [check('event_settings_one', sql`${t.id} = 1`)],
)

/** The public list of changes: append-only. */
export const changes = pgTable('changes', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  eventNumber: integer('event_number')
    .notNull()
    .references(() => events.number),
  at: moment('at').notNull().defaultNow(),
  field: text('field').notNull(),
  from: text('from'),
  to: text('to'),
})

/** One row; raised by a migration that older programs cannot work with, see `schema-major.ts`. */
export const schemaMajor = pgTable(
  'schema_major',
  { id: integer('id').primaryKey().default(1), major: integer('major').notNull() },
  (t) => [check('schema_major_one', sql`${t.id} = 1`)],
)

/** One row; its update is a commit's last step, so versions are in commit order. A trigger notifies. */
export const publicVersion = pgTable(
  'public_version',
  { id: integer('id').primaryKey().default(1), version: bigint('version', { mode: 'number' }).notNull() },
  (t) => [check('public_version_one', sql`${t.id} = 1`)],
)
