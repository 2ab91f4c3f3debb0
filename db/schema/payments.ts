/** What was claimed to be paid, and what the chain says was paid. */
import { sql } from 'drizzle-orm'
import { bigint, bigserial, check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import type { Address } from 'viem'
import type { PaymentReason, PaymentStatus } from '../../core/payment.ts'
import { address, hash, height, moment, units } from './columns.ts'

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
export const voidedPayments = pgTable(
  'voided_payments',
  {
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
    /** The row of the refund desk that gave it back: where it belongs again when it is found again. */
    refundRowId: bigint('refund_row_id', { mode: 'number' }),
    voidedAt: moment('voided_at').notNull().defaultNow(),
    why: text('why').notNull(),
  },
  (t) => [index('voided_payments_transaction').on(t.transactionHash)],
)

/** What workers last reported of themselves, for the administrators' eyes; nothing is decided by it. */
export const reports = pgTable('reports', {
  name: text('name').primaryKey(),
  facts: jsonb('facts').notNull(),
  at: moment('at').notNull().defaultNow(),
})
