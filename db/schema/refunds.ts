/** Who gets how much back, and what operator wallets sent. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'
import type { RefundHold, RefundReason, RefundState, SignatureProof } from '../../core/refund/rules.ts'
import { address, hash, height, moment, units } from './columns.ts'
import { events } from './event.ts'
import { payments } from './payments.ts'

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
    /** Where the books place it, if not where it stands now: a reorg does not change what it was sent for. */
    orderBlock: height('order_block'),
    /** The chain took it back: it counts for nothing unless it is mined again. */
    isGone: boolean('is_gone').notNull().default(false),
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
