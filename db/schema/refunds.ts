/** Refunds by recipient, and transfers sent by operator wallets. */
import { sql } from 'drizzle-orm'
import {
  bigint,
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
import type { TransferMark } from '../../core/refund/classes.ts'
import type { RefundHold, RefundReason, RefundState, SignatureProof } from '../../core/refund/rules.ts'
import { address, hash, height, moment, oneRowKey, onlyOne, serialKey, units } from './columns.ts'
import { events } from './event.ts'
import { payments } from './payments.ts'

/** `event`: all money of an event in refund mode, once. `leftover`: payments without tickets, any time. */
export const refundBatches = pgTable(
  'refund_batches',
  {
    id: serialKey(),
    kind: text('kind').$type<'event' | 'leftover'>().notNull(),
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('refund_batches_event').on(t.eventNumber).where(sql`${t.kind} = 'event'`)],
)

/** The amount that one payer gets back in one batch. */
export const refundRows = pgTable(
  'refund_rows',
  {
    id: serialKey(),
    batchId: bigint('batch_id', { mode: 'number' })
      .notNull()
      .references(() => refundBatches.id),
    payer: address('payer').notNull(),
    recipient: address('recipient').notNull(),
    units: units('units').notNull(),
    state: text('state').$type<RefundState>().notNull().default('planned'),
    reason: text('reason').$type<RefundReason>(),
    /** Why the row is not offered; an administrator's release or the payer's signature lifts the hold. */
    hold: text('hold').$type<RefundHold>(),
    releasedAt: moment('released_at'),
    /** When the chain was queried whether the payer is a contract: before that the row is not offered. */
    checkedAt: moment('checked_at'),
    /** The wallet's nonce when the row was handed out; it settles an unknown outcome. */
    offeredNonce: bigint('offered_nonce', { mode: 'number' }),
    /** The highest nonce that the handed-out transactions can have used; null: not known. */
    nonceBound: bigint('nonce_bound', { mode: 'number' }),
    offeredWallet: address('offered_wallet'),
    /** Units handed out: less than `units` if a part had been paid already. */
    offeredUnits: units('offered_units'),
    /** Maximum number of transactions the wallet was asked to make for the request; on one of its rows. */
    offeredTransactions: integer('offered_transactions'),
    offeredAt: moment('offered_at'),
    /** How it was handed out: through the register, or as plain transfers, for which the nonce rule holds. */
    offeredPath: text('offered_path').$type<'register' | 'transfers'>(),
    /** Through the register: the total of the call, and the last second in block time at which it may run. */
    offeredTotal: units('offered_total'),
    validUntil: moment('valid_until'),
    /** Through the register: calls that may still run. With more than one, only the deadline ends them. */
    offeredCalls: integer('offered_calls'),
    /** The newest final block when it was handed out: what pays it lies behind that one. */
    offeredBlock: height('offered_block'),
    /** Handed out so that the wallet's nonces alone do not tell when it can be mined no more: see core/refund/nonce. */
    relayed: boolean('relayed').notNull().default(false),
    transactionHash: hash('transaction_hash'),
    /** The nonce of the reported transaction, once a node has shown that the wallet sent it and that it pays this row. */
    transactionNonce: bigint('transaction_nonce', { mode: 'number' }),
    /** What `wallet_sendCalls` answered: any page with that wallet asks it what became of the calls. */
    bundle: text('bundle'),
    /** An administrator's word that nothing of it will ever be mined. */
    lostAt: moment('lost_at'),
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
    /** A payment taken back after a reorg leaves its row; the next preparation counts again. */
    paymentId: bigint('payment_id', { mode: 'number' })
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    isLive: boolean('is_live').notNull().default(true),
    /** The wallet of ours that pays it in place of the one that was paid, which has waived it or whose key is lost. */
    paidBy: address('paid_by'),
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
    token: address('token').notNull(),
    wallet: address('wallet').notNull(),
    recipient: address('recipient').notNull(),
    units: units('units').notNull(),
    /** Whose refund it is by the register's own log; null for a transfer that did not go through the register. */
    debtor: address('debtor'),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash'),
    blockTime: moment('block_time').notNull(),
    /** Its place in the block; null for what was read before places were noted. */
    transactionIndex: integer('transaction_index'),
    logIndex: integer('log_index'),
    rowId: bigint('row_id', { mode: 'number' }).references(() => refundRows.id),
    /** Its block in the books if that differs: a reorg does not change what it was sent for. */
    orderBlock: height('order_block'),
    /** A reorg removed it: it counts only if it is mined again. */
    isGone: boolean('is_gone').notNull().default(false),
    /** An administrator marked this transfer as a payment for something else. */
    notRefund: boolean('not_refund').notNull().default(false),
    /** What an administrator said that it was for; null leaves it to the rule. Of older releases `notRefund` alone. */
    markedAs: text('marked_as').$type<TransferMark>(),
    /** The prize that it paid. */
    prizeEvent: integer('prize_event'),
    prizePlace: integer('prize_place'),
  },
  (t) => [
    primaryKey({ columns: [t.transactionHash, t.logPosition] }),
    index('operator_transfers_recipient').on(t.recipient),
    index('operator_transfers_debtor').on(t.debtor).where(sql`${t.debtor} is not null`),
    index('operator_transfers_row').on(t.rowId),
    index('operator_transfers_block').on(t.blockNumber),
    index('operator_transfers_prize').on(t.prizeEvent, t.prizePlace).where(sql`${t.prizeEvent} is not null`),
    check('operator_transfers_mark', sql`${t.markedAs} in ('refund', 'prize', 'other')`),
    check('operator_transfers_prize', sql`(${t.prizeEvent} is null) = (${t.prizePlace} is null)`),
  ],
)

/** Final logs of the register by wallets of ours: what it remembers that each has paid or waived, ever. */
export const registerEntries = pgTable(
  'register_entries',
  {
    transactionHash: hash('transaction_hash').notNull(),
    /** Position among this transaction's own logs of the register. */
    logPosition: integer('log_position').notNull(),
    kind: text('kind').$type<'paid' | 'waived'>().notNull(),
    wallet: address('wallet').notNull(),
    token: address('token').notNull(),
    debtor: address('debtor').notNull(),
    /** Null for what was waived, which moved nothing. */
    payee: address('payee'),
    units: units('units').notNull(),
    /** What the register remembers from then on. */
    total: units('total').notNull(),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash').notNull(),
    blockTime: moment('block_time').notNull(),
    /** A reorg removed it: it counts only if it is mined again. */
    isGone: boolean('is_gone').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.transactionHash, t.logPosition] }),
    index('register_entries_debtor').on(t.debtor),
    index('register_entries_block').on(t.blockNumber),
    check('register_entries_kind', sql`(${t.kind} = 'paid') = (${t.payee} is not null)`),
  ],
)

/** What the watch reads: each wallet of ours in each token. Of new ones these blocks, which it had passed, are unread. */
export const refundBacklogs = pgTable(
  'refund_backlogs',
  {
    wallet: address('wallet').notNull(),
    token: address('token').notNull(),
    unreadFrom: height('unread_from'),
    unreadTo: height('unread_to'),
  },
  (t) => [primaryKey({ columns: [t.wallet, t.token] })],
)

/** The last final block whose outgoing transfers were read, and the nonces at it; one row. */
export const refundWatch = pgTable(
  'refund_watch',
  {
    id: oneRowKey(),
    height: height('height').notNull(),
    hash: hash('hash').notNull(),
    /** Last time everything up to the final block was read: refunds stop when this gets old. */
    checkedAt: moment('checked_at'),
    /** Transactions of each operator wallet in final blocks. */
    nonces: jsonb('nonces').$type<Record<Address, number>>().notNull().default({}),
  },
  (t) => [onlyOne('refund_watch', t.id)],
)

/** A payer's signed request to be paid at another address, and the result of its check; kept as proof. */
export const refundReaddresses = pgTable(
  'refund_readdresses',
  {
    id: serialKey(),
    rowId: bigint('row_id', { mode: 'number' })
      .notNull()
      .references(() => refundRows.id),
    recipient: address('recipient').notNull(),
    signature: text('signature').$type<Hex>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    answeredAt: moment('answered_at'),
    /** The newest block that was known when it was answered: what was sent to the address before was no refund. */
    namedAt: height('named_at'),
    /** The kind of valid signature: `personal`, `typed`, `contract`; null for an invalid one. */
    proof: text('proof').$type<SignatureProof>(),
  },
  (t) => [index('refund_readdresses_open').on(t.id).where(sql`${t.answeredAt} is null`)],
)

/**
 * How far the refunds of an event in refund mode are, for the public page: written when it changes, so that what two
 * processes tell at one version is the same, the day included.
 */
export const refundProgress = pgTable('refund_progress', {
  eventNumber: integer('event_number')
    .primaryKey()
    .references(() => events.number),
  /** Whole days since refund mode began. */
  days: integer('days').notNull(),
  /** Payers who have got back all that they paid, and the others. */
  paid: integer('paid').notNull(),
  open: integer('open').notNull(),
})
