/** The event, its terms and settings, and the public list of its changes. */
import { sql } from 'drizzle-orm'
import { bigint, bigserial, boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { Entropy } from '../../core/event.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { address, height, moment, units } from './columns.ts'

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
    /** When a block at or after the sale start was first seen: the page sells from then on. */
    openedAt: moment('opened_at'),
    drawDate: moment('draw_date'),
    saleEnd: moment('sale_end'),
    /** The draw date that buyers were told first: a later one may lie at most 30 days behind it. Set by a trigger. */
    firstDrawDate: moment('first_draw_date'),
    /** The worker draws by itself; off, an administrator starts the draw. */
    autoDraw: boolean('auto_draw').notNull().default(true),
    entropy: text('entropy').$type<Entropy>().notNull().default('blocks'),
    winners: integer('winners').notNull().default(1),
    claimDays: integer('claim_days').notNull().default(30),
    maxTickets: integer('max_tickets'),
    maxPerWallet: integer('max_per_wallet'),
    anchorWallet: address('anchor_wallet'),
    contentSha256: text('content_sha256').$type<Hex>(),
    /** The terms line and its SHA-256, set with the freeze. */
    terms: text('terms'),
    termsSha256: text('terms_sha256').$type<Hex>(),
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
    check(
      'events_promises',
      sql`${t.entropy} in ('blocks', 'blocks+drand') and ${t.winners} between 1 and 20 and ${t.claimDays} between 7 and 90
        and ${t.maxTickets} > 0 and ${t.maxPerWallet} > 0`,
    ),
    // Money sent to either of them is lost for good.
    check(
      'events_wallet',
      sql`${t.operatorWallet} not in (${t.token}, '0x0000000000000000000000000000000000000000')`,
    ),
    check('events_min', sql`${t.minTickets} between 1 and 10000000`),
    check('events_sold', sql`${t.ticketsSold} >= 0`),
    check(
      'events_dates',
      sql`(${t.drawDate} is null) = (${t.saleEnd} is null) or ${t.stoppedAt} is not null`,
    ),
    check(
      'events_frozen',
      sql`(${t.frozenAt} is null) = (${t.ledgerSha256} is null) and (${t.frozenAt} is null) = (${t.ledgerLines} is null)
        and (${t.terms} is null) = (${t.termsSha256} is null) and (${t.terms} is null or ${t.frozenAt} is not null)`,
    ),
  ],
)

/** How an event ended, once: a draw or a refund, never both. Written under the lock of the event's row. */
export const outcomes = pgTable(
  'outcomes',
  {
    eventNumber: integer('event_number')
      .primaryKey()
      .references(() => events.number),
    kind: text('kind').$type<'draw' | 'refund'>().notNull(),
    /** Why the money goes back. */
    reason: text('reason').$type<RefundCause>(),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [check('outcomes_reason', sql`(${t.kind} = 'refund') = (${t.reason} is not null)`)],
)

/** Every wallet that tickets were ever paid to; former ones are still watched. */
export const operatorWallets = pgTable('operator_wallets', {
  address: address('address').primaryKey(),
  since: moment('since').notNull().defaultNow(),
  /** From blocks of this time on it buys nothing; null until a signature or a frozen ledger shows that it is ours. */
  ownSince: moment('own_since'),
  /** Its own outgoing transfers of these blocks are still to be read, which the refund watch had passed without it. */
  unreadFrom: height('unread_from'),
  unreadTo: height('unread_to'),
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
