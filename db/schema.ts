/**
 * All tables, told in the order of the story: an event is opened, somebody claims to have paid, the chain
 * says what was paid, a winner is drawn, money goes back, and administrators watch over it.
 * Times are timestamptz; token amounts are whole units of 10^-18 USDT; hashes and addresses lower case.
 */
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Address, Hash, Hex } from 'viem'
import type { ErrorCode } from '../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../core/payment.ts'
import type { RefundHold, RefundReason, RefundState, SignatureProof } from '../core/refund.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: 'bigint' })
const height = (name: string) => bigint(name, { mode: 'bigint' })
const address = (name: string) => text(name).$type<Address>()
const hash = (name: string) => text(name).$type<Hash>()
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

// 1. The event ---------------------------------------------------------------------------------------------

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
    /** `stop-sale`: the operator ended the sale into refund mode. */
    stoppedAt: moment('stopped_at'),
    refundModeAt: moment('refund_mode_at'),
    refundNotice: boolean('refund_notice').notNull().default(false),
    /** A hole or a reorg below finality: sales wait until an administrator resumes them. */
    haltedAt: moment('halted_at'),
    winnerClearedAt: moment('winner_cleared_at'),
    /** The last draw after a clear: the same winner is told once more, 10 s from this moment. */
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

/** Every wallet that tickets were ever paid to: a former one is still watched. */
export const operatorWallets = pgTable('operator_wallets', {
  address: address('address').primaryKey(),
  since: moment('since').notNull().defaultNow(),
})

/** What the Next Event section tells; one row. */
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

/** One row: raised by a migration that older programs cannot live with, see `schema-major.ts`. */
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

// 2. Payments ----------------------------------------------------------------------------------------------

/** What of a claimed transaction was seen before it was final: a preview for its buyer, no more. */
export type SeenPayment = { payer: Address; units: string; blockNumber: string }

/** A transaction hash that somebody reported. A hint to look at the chain, never a fact. */
export const claims = pgTable(
  'claims',
  {
    transactionHash: hash('transaction_hash').primaryKey(),
    walletAddress: text('wallet_address'),
    quantity: bigint('quantity', { mode: 'number' }),
    amount: bigint('amount', { mode: 'number' }),
    /** `site` or `admin`. */
    door: text('door').$type<'site' | 'admin'>().notNull().default('site'),
    /** For the limit of unresolved hashes; emptied once the claim is resolved. */
    clientAddress: text('client_address'),
    status: text('status').$type<PaymentStatus>().notNull().default('received'),
    reason: text('reason').$type<PaymentReason>(),
    seen: jsonb('seen').$type<SeenPayment[]>().notNull().default([]),
    attempts: integer('attempts').notNull().default(0),
    /** When the sweeper rings next; null once resolved. */
    nextAttemptAt: moment('next_attempt_at').defaultNow(),
    /** When the manual call was told the tickets: only the first one is. */
    manualAnsweredAt: moment('manual_answered_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('claims_hash', sql`${t.transactionHash} ~ '^0x[0-9a-f]{64}$'`),
    index('claims_due').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index('claims_unresolved').on(t.clientAddress).where(sql`${t.clientAddress} is not null`),
  ],
)

/**
 * Final payments of the chain, written by the scan alone. All transfers of one payer to one wallet in one
 * transaction are one row, so no transfer can count twice.
 */
export const payments = pgTable(
  'payments',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    transactionHash: hash('transaction_hash').notNull(),
    payer: address('payer').notNull(),
    wallet: address('wallet').notNull(),
    // No foreign key: its one writer reads the number from `events` in the same transaction, and the check of
    // every row costs a backfill a third of its time.
    eventNumber: integer('event_number'),
    units: units('units').notNull(),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash').notNull(),
    blockTime: moment('block_time').notNull(),
    transactionIndex: integer('transaction_index').notNull(),
    firstLogIndex: integer('first_log_index').notNull(),
    status: text('status').$type<'credited' | 'rejected'>().notNull(),
    reason: text('reason').$type<PaymentReason>(),
    ticketNumber: integer('ticket_number'),
    ticketCount: integer('ticket_count').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    unique('payments_once').on(t.transactionHash, t.payer, t.wallet),
    unique('payments_ticket').on(t.eventNumber, t.ticketNumber),
    index('payments_block').on(t.blockNumber),
    index('payments_payer').on(t.payer, t.eventNumber),
    check('payments_units', sql`${t.units} > 0`),
    check(
      'payments_state',
      sql`(${t.status} = 'credited' and ${t.reason} is null and ${t.ticketNumber} >= 1 and ${t.ticketCount} >= 1 and ${t.eventNumber} is not null)
        or (${t.status} = 'rejected' and ${t.reason} is not null and ${t.ticketNumber} is null and ${t.ticketCount} = 0)`,
    ),
  ],
)

/** Up to where the final chain has been folded; one row. `hash` is that of the block at `height`. */
export const scanCursor = pgTable(
  'scan_cursor',
  {
    id: integer('id').primaryKey().default(1),
    height: height('height').notNull(),
    hash: hash('hash').notNull(),
    blockTime: moment('block_time').notNull(),
    /** Time of the newest block seen, final or not: dates may not lie before it. */
    newestBlockTime: moment('newest_block_time'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [check('scan_cursor_one', sql`${t.id} = 1`)],
)

/** A payment that was taken back because the chain no longer holds it at its place; append-only. */
export const voidedPayments = pgTable('voided_payments', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  transactionHash: hash('transaction_hash').notNull(),
  payer: address('payer').notNull(),
  wallet: address('wallet').notNull(),
  eventNumber: integer('event_number'),
  units: units('units').notNull(),
  blockNumber: height('block_number').notNull(),
  blockHash: hash('block_hash').notNull(),
  ticketNumber: integer('ticket_number'),
  ticketCount: integer('ticket_count').notNull(),
  voidedAt: moment('voided_at').notNull().defaultNow(),
  why: text('why').notNull(),
})

/** What workers last reported of themselves, for the administrators' eyes; nothing is decided by it. */
export const reports = pgTable('reports', {
  name: text('name').primaryKey(),
  facts: jsonb('facts').notNull(),
  at: moment('at').notNull().defaultNow(),
})

// 3. Draw --------------------------------------------------------------------------------------------------

/**
 * The fingerprint of a frozen ledger, put on chain by the operator before the draw block. It counts while it
 * is the event's fingerprint: a ledger that was folded anew is anchored anew.
 */
export const anchors = pgTable('anchors', {
  eventNumber: integer('event_number')
    .primaryKey()
    .references(() => events.number),
  ledgerSha256: text('ledger_sha256').$type<Hex>().notNull(),
  transactionHash: hash('transaction_hash').notNull(),
  blockNumber: height('block_number').notNull(),
  blockTime: moment('block_time').notNull(),
})

export type DrawBlock = { number: string; hash: Hash; timestamp: number }

/** Inputs and result of a draw, once per event; a trigger refuses update and delete. */
export const draws = pgTable(
  'draws',
  {
    eventNumber: integer('event_number')
      .primaryKey()
      .references(() => events.number),
    blocks: jsonb('blocks').$type<DrawBlock[]>().notNull(),
    ledgerSha256: text('ledger_sha256').$type<Hex>().notNull(),
    ticketsSold: integer('tickets_sold').notNull(),
    seed: text('seed').$type<Hex>().notNull(),
    counter: integer('counter').notNull(),
    randomNumber: units('random_number').notNull(),
    winningTicket: integer('winning_ticket').notNull(),
    winningPayment: bigint('winning_payment', { mode: 'number' })
      .notNull()
      .references(() => payments.id),
    drawnAt: moment('drawn_at').notNull().defaultNow(),
  },
  (t) => [check('draws_winning', sql`${t.winningTicket} between 1 and ${t.ticketsSold}`)],
)

/**
 * What an administrator asked for and only a worker can do, as it needs the chain. The call waits for the
 * answer; an errand that expired before it was begun is not done any more.
 */
export const errands = pgTable(
  'errands',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<'draw' | 'anchor'>().notNull(),
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    transactionHash: hash('transaction_hash'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    answeredAt: moment('answered_at'),
    /** Null when it was done, else the code of the refusal; before the answer, why it is not done yet. */
    code: text('code').$type<ErrorCode>(),
    message: text('message'),
  },
  (t) => [index('errands_open').on(t.kind, t.eventNumber).where(sql`${t.answeredAt} is null`)],
)

// 4. Refunds -----------------------------------------------------------------------------------------------

/** `event`: all money of an event in refund mode, once. `leftover`: payments without tickets, any time. */
export const refundBatches = pgTable(
  'refund_batches',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<'event' | 'leftover'>().notNull(),
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('refund_batches_event').on(t.eventNumber).where(sql`${t.kind} = 'event'`)],
)

/** What one payer gets back in one batch. */
export const refundRows = pgTable(
  'refund_rows',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    batchId: bigint('batch_id', { mode: 'number' })
      .notNull()
      .references(() => refundBatches.id),
    payer: address('payer').notNull(),
    recipient: address('recipient').notNull(),
    units: units('units').notNull(),
    state: text('state').$type<RefundState>().notNull().default('planned'),
    reason: text('reason').$type<RefundReason>(),
    /** Why the row is not offered by itself; an administrator's release or the payer's signature lifts it. */
    hold: text('hold').$type<RefundHold>(),
    releasedAt: moment('released_at'),
    /** When the chain was asked whether the payer is a contract: before that the row is not offered. */
    checkedAt: moment('checked_at'),
    /** The wallet's nonce when the row was handed out: an unknown outcome is settled by it. */
    offeredNonce: bigint('offered_nonce', { mode: 'number' }),
    /** The highest nonce that what was handed out can have used; null: not known. */
    nonceBound: bigint('nonce_bound', { mode: 'number' }),
    offeredWallet: address('offered_wallet'),
    /** What was handed out: less than `units` where a part had been paid already. */
    offeredUnits: units('offered_units'),
    /** How many transactions the wallet was asked to make of the whole request at most, on one of its rows. */
    offeredTransactions: integer('offered_transactions'),
    offeredAt: moment('offered_at'),
    transactionHash: hash('transaction_hash'),
    settledAt: moment('settled_at'),
    revision: integer('revision').notNull().default(1),
  },
  (t) => [
    unique('refund_rows_payer').on(t.batchId, t.payer),
    index('refund_rows_of_payer').on(t.payer),
    index('refund_rows_of_recipient').on(t.recipient),
    index('refund_rows_open').on(t.offeredWallet).where(sql`${t.state} in ('offered', 'sent')`),
    index('refund_rows_unchecked').on(t.batchId).where(sql`${t.checkedAt} is null`),
    check('refund_rows_units', sql`${t.units} >= 0`),
    check('refund_rows_state', sql`${t.state} in ('planned', 'offered', 'sent', 'settled', 'failed')`),
  ],
)

/** Which payments a row gives back; a payment is in at most one live row. */
export const refundRowPayments = pgTable(
  'refund_row_payments',
  {
    rowId: bigint('row_id', { mode: 'number' })
      .notNull()
      .references(() => refundRows.id),
    /** A payment that the chain took back leaves its row; the next preparation counts anew. */
    paymentId: bigint('payment_id', { mode: 'number' })
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    isLive: boolean('is_live').notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.rowId, t.paymentId] }),
    uniqueIndex('refund_row_payments_once').on(t.paymentId).where(sql`${t.isLive}`),
  ],
)

/** Final USDT transfers out of an operator wallet to a payer, each allocated to at most one row. */
export const operatorTransfers = pgTable(
  'operator_transfers',
  {
    transactionHash: hash('transaction_hash').notNull(),
    /** Position among this transaction's own transfers: the block-wide index can move in a reorg. */
    logPosition: integer('log_position').notNull(),
    wallet: address('wallet').notNull(),
    recipient: address('recipient').notNull(),
    units: units('units').notNull(),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash'),
    blockTime: moment('block_time').notNull(),
    rowId: bigint('row_id', { mode: 'number' }).references(() => refundRows.id),
    /** An administrator said that this one paid for something else. */
    notRefund: boolean('not_refund').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.transactionHash, t.logPosition] }),
    index('operator_transfers_recipient').on(t.recipient),
    index('operator_transfers_row').on(t.rowId),
    index('operator_transfers_block').on(t.blockNumber),
  ],
)

/** Up to where outgoing transfers have been read, and the nonces at that final block; one row. */
export const refundWatch = pgTable(
  'refund_watch',
  {
    id: integer('id').primaryKey().default(1),
    height: height('height').notNull(),
    hash: hash('hash').notNull(),
    /** The last time everything up to the final block was read: refunds stop when this gets old. */
    checkedAt: moment('checked_at'),
    /** Transactions that each operator wallet has had in final blocks. */
    nonces: jsonb('nonces').$type<Record<Address, number>>().notNull().default({}),
  },
  (t) => [check('refund_watch_one', sql`${t.id} = 1`)],
)

/** A payer's signed wish to be paid elsewhere, and what the check said; kept as the proof. */
export const refundReaddresses = pgTable(
  'refund_readdresses',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    rowId: bigint('row_id', { mode: 'number' })
      .notNull()
      .references(() => refundRows.id),
    recipient: address('recipient').notNull(),
    signature: text('signature').$type<Hex>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    answeredAt: moment('answered_at'),
    /** How the signature was found good: `personal`, `typed`, `contract`; null when it was not. */
    proof: text('proof').$type<SignatureProof>(),
  },
  (t) => [index('refund_readdresses_open').on(t.id).where(sql`${t.answeredAt} is null`)],
)

// 5. Administrators ----------------------------------------------------------------------------------------

export const admins = pgTable(
  'admins',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    username: text('username').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** AES-GCM under SECRET_KEY. */
    otpSecret: bytea('otp_secret'),
    /** The secret of a set-up that waits for its first code; the old one counts until then. */
    otpPendingSecret: bytea('otp_pending_secret'),
    otpConfirmedAt: moment('otp_confirmed_at'),
    /** Last accepted time step: a code works once. */
    otpLastStep: bigint('otp_last_step', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('admins_username').on(sql`lower(${t.username})`)],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    adminId: integer('admin_id')
      .notNull()
      .references(() => admins.id),
    codeHash: text('code_hash').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.codeHash] })],
)

/** A session is known by the SHA-256 of its token; the token itself is nowhere. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    adminId: integer('admin_id')
      .notNull()
      .references(() => admins.id),
    clientAddress: text('client_address').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    /** Last time a password or code was given: money and security changes ask for a recent one. */
    freshAt: moment('fresh_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('sessions_admin').on(t.adminId)],
)

/** Failed logins and codes, for the limits by address and account. */
export const loginFailures = pgTable(
  'login_failures',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<'password' | 'otp'>().notNull(),
    clientAddress: text('client_address').notNull(),
    adminId: integer('admin_id').references(() => admins.id),
    /** SHA-256 of the name that was typed: unknown names are slowed down like known ones. */
    account: text('account'),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    index('login_failures_address').on(t.clientAddress, t.at),
    index('login_failures_account').on(t.account, t.at),
  ],
)

/** Security settings; one row. */
export const settings = pgTable(
  'settings',
  {
    id: integer('id').primaryKey().default(1),
    requireOtp: boolean('require_otp').notNull().default(false),
    /** Empty: every address may come in. */
    allowedIps: text('allowed_ips').array().notNull().default(sql`'{}'::text[]`),
  },
  (t) => [check('settings_one', sql`${t.id} = 1`)],
)

/** An upload that was signed, and whether its one use is spent. */
export const uploads = pgTable('uploads', {
  key: text('key').primaryKey(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull(),
  adminId: integer('admin_id')
    .notNull()
    .references(() => admins.id),
  /** Who asked, for the limit of uploads a day. */
  clientAddress: text('client_address'),
  createdAt: moment('created_at').notNull().defaultNow(),
  expiresAt: moment('expires_at').notNull(),
  usedAt: moment('used_at'),
})

/** Every action of an administrator, also a refused one; a trigger refuses update and delete. */
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
  (t) => [index('audit_at').on(t.at)],
)
