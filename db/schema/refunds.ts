import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, pgView, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { RefundHold, TransferMark } from '../../core/refund/rules.ts'
import { address, chainPlace, hash, moment, serialKey, units } from './columns.ts'

/**
 * Final: all of one wallet to one address in one transaction. Out of operator wallets, those of others that were marked, and by
 * the register on account of our book.
 */
export const outgoingTransfers = pgTable(
  'outgoing_transfers',
  {
    transactionHash: hash('transaction_hash').notNull(),
    wallet: address('wallet').notNull(),
    recipient: address('recipient').notNull(),
    token: address('token').notNull(),
    units: units('units').notNull(),
    /** What the register remembers then of its debtor; null: a plain transfer. */
    total: units('total'),
    ...chainPlace(),
  },
  (t) => [
    uniqueIndex('outgoing_transfers_once').on(
      ...([t.transactionHash, t.wallet, t.recipient, t.token, sql`(${t.total} is null)`] as const),
    ),
    index('outgoing_transfers_paid').on(t.recipient, t.token, t.total).where(sql`${t.total} is not null`),
    index('outgoing_transfers_plain').on(t.recipient).where(sql`${t.total} is null`),
    index('outgoing_transfers_block').on(t.blockNumber),
    check('outgoing_transfers_units', sql`${t.units} > 0 or ${t.total} is not null`),
  ],
)

/**
 * What an administrator said that a plain transfer was for, or that a payment without a ticket is the operator's own money, of
 * which `recipient` has paid. It stands also while a reorg has taken the transfer.
 */
export const transferMarks = pgTable(
  'transfer_marks',
  {
    transactionHash: hash('transaction_hash').notNull(),
    wallet: address('wallet').notNull(),
    recipient: address('recipient').notNull(),
    markedAs: text('marked_as').$type<TransferMark | 'own'>().notNull(),
    /** Of a prize. */
    eventNumber: integer('event_number'),
    place: integer('place'),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('transfer_marks_once').on(
      ...([t.transactionHash, t.wallet, t.recipient, sql`(${t.markedAs} = 'own')`] as const),
    ),
    check('transfer_marks_as', sql`${t.markedAs} in ('refund', 'prize', 'none', 'own')`),
    check(
      'transfer_marks_prize',
      sql`(${t.markedAs} = 'prize') = (${t.eventNumber} is not null) and (${t.eventNumber} is null) = (${t.place} is null)`,
    ),
  ],
)

/** An administrator holds a payer's line, or releases the holds that stand on it; append-only. */
export const refundDecisions = pgTable(
  'refund_decisions',
  {
    id: serialKey(),
    payer: address('payer').notNull(),
    decision: text('decision').$type<'hold' | 'release'>().notNull(),
    /** What a release lifts: holds that come later hold again. */
    holds: text('holds').$type<RefundHold>().array().notNull().default(sql`'{}'`),
    note: text('note'),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    index('refund_decisions_payer').on(t.payer, t.id),
    check('refund_decisions_kind', sql`${t.decision} in ('hold', 'release')`),
  ],
)

/** Whether two endpoints have found a contract's code at a payer. */
export const payerCodes = pgTable('payer_codes', {
  payer: address('payer').primaryKey(),
  isContract: boolean('is_contract').notNull(),
})

/** Transactions that a wallet says it has sent for these payers; only a hint for the desk. */
export const refundReports = pgTable('refund_reports', {
  transactionHash: hash('transaction_hash').primaryKey(),
  payers: text('payers').array().notNull().default(sql`'{}'`),
  at: moment('at').notNull().defaultNow(),
  finalAt: moment('final_at'),
})

/** Every payment that has to go back, with the token it was paid in. */
export const owedPayments = pgView('owed_payments', {
  id: integer('id').notNull(),
  eventNumber: integer('event_number').notNull(),
  units: units('units').notNull(),
}).existing()

/** One line a payer and token. `total` is what the register is told; a `due` below zero is surplus. */
export const refundDues = pgView('refund_dues', {
  payer: address('payer').notNull(),
  token: address('token').notNull(),
  owed: units('owed').notNull(),
  byHand: units('by_hand').notNull(),
  byRegister: units('by_register').notNull(),
  total: units('total').notNull(),
  due: units('due').notNull(),
  /** Some of it had tickets, in an event that ended in refunds: never dust. */
  hadTickets: boolean('had_tickets').notNull(),
  /** When the last of it was paid to a wallet after that was stolen. */
  stolenAt: moment('stolen_at'),
  /** An operator wallet sent him something since the sale start of his oldest owed event, and nobody has said for what. */
  isUnjudged: boolean('is_unjudged').notNull(),
}).existing()
