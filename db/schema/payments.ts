import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import type { Address } from 'viem'
import type { Acceptance } from '../../core/house/rules.ts'
import type { Cover } from '../../core/live/public.ts'
import { type PaymentReason, type PaymentStatus, paymentReasons } from '../../core/payment/payment.ts'
import { address, chainPlace, hash, height, moment, serialKey, units } from './columns.ts'

/** Payments of a claimed transaction seen before it was final: only a preview for the buyer. */
export type SeenPayment = { payer: Address; units: string; blockNumber: string }

/** A reported transaction hash. A hint to look at the chain, never a fact. */
export const claims = pgTable(
  'claims',
  {
    transactionHash: hash('transaction_hash').primaryKey(),
    walletAddress: text('wallet_address'),
    quantity: bigint('quantity', { mode: 'number' }),
    amount: bigint('amount', { mode: 'number' }),
    source: text('door').$type<'site' | 'admin'>().notNull().default('site'),
    /** The key of the address, for the limit of unresolved hashes; emptied once the claim is resolved. */
    clientAddress: text('client_address'),
    status: text('status').$type<PaymentStatus>().notNull().default('received'),
    reason: text('reason').$type<PaymentReason>(),
    seen: jsonb('seen').$type<SeenPayment[]>().notNull().default([]),
    /** Consecutive ones in which no endpoint knew it. */
    attempts: integer('attempts').notNull().default(0),
    /** When the sweeper adds its next job; null once resolved. */
    nextAttemptAt: moment('next_attempt_at').defaultNow(),
    /** What the buyer said before paying, and when we were told; the first word stands. */
    accepted: jsonb('accepted').$type<Acceptance & { at: string }>(),
    /** When a manual call got the tickets: only the first one does. */
    manualAnsweredAt: moment('manual_answered_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    check('claims_hash', sql`${t.transactionHash} ~ '^0x[0-9a-f]{64}$'`),
    index('claims_due').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    // Also for the totals of a /56 and a /48: their keys begin alike.
    index('claims_unresolved')
      .on(t.clientAddress.op('text_pattern_ops'))
      .where(sql`${t.clientAddress} is not null`),
    index('claims_given_up').on(t.createdAt).where(sql`${t.status} = 'not_found'`),
  ],
)

/** Final ones; only the scan writes them. All transfers of a payer to a wallet in a transaction are one row. */
export const payments = pgTable(
  'payments',
  {
    id: serialKey(),
    transactionHash: hash('transaction_hash').notNull(),
    payer: address('payer').notNull(),
    wallet: address('wallet').notNull(),
    // No foreign key: the only writer reads the number from `events` in the same transaction, and checking
    // every row costs a backfill a third of its time.
    eventNumber: integer('event_number'),
    token: address('token').notNull(),
    units: units('units').notNull(),
    ...chainPlace(),
    status: text('status').$type<'credited' | 'rejected'>().notNull(),
    reason: text('reason').$type<PaymentReason>(),
    ticketNumber: integer('ticket_number'),
    ticketCount: integer('ticket_count').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Since when it is known that the chain had lost this line of a frozen list: it stays on the list, and is not owed until it is found. */
    lostAt: moment('lost_at'),
    /** Since when the chain has it again. */
    foundAt: moment('found_at'),
  },
  (t) => [
    unique('payments_once').on(t.transactionHash, t.payer, t.wallet),
    unique('payments_ticket').on(t.eventNumber, t.ticketNumber),
    index('payments_block').on(t.blockNumber),
    // Wallets are counted by their tickets, and what they are owed is summed, from the index alone.
    index('payments_holders').on(t.payer, t.token, t.eventNumber, t.ticketCount, t.units),
    // So is money without a ticket: dust of a million strangers is never sorted.
    index('payments_leftovers')
      .on(t.payer, t.token, t.eventNumber, t.units)
      .where(sql`${t.ticketNumber} is null and ${t.reason} not in ('early', 'held')`),
    index('payments_lost').on(t.eventNumber).where(sql`${t.lostAt} is not null`),
    check('payments_units', sql`${t.units} > 0`),
    check(
      'payments_reason',
      sql`${t.reason} in (${sql.raw(paymentReasons.map((one) => `'${one}'`).join(', '))})`,
    ),
    // The most that an event can have, see `mostTickets`.
    check('payments_tickets', sql`${t.ticketNumber} + ${t.ticketCount} <= 2000000001`),
    check(
      'payments_state',
      sql`(${t.status} = 'credited' and ${t.reason} is null and ${t.ticketNumber} >= 1 and ${t.ticketCount} >= 1 and ${t.eventNumber} is not null)
        or (${t.status} = 'rejected' and ${t.reason} is not null and ${t.ticketNumber} is null and ${t.ticketCount} = 0)`,
    ),
  ],
)

/** The last final block that was read: `payments` by the fold, `outgoing` for what our wallets sent and the register's logs. */
export const cursors = pgTable(
  'cursors',
  {
    name: text('name').$type<'payments' | 'outgoing'>().primaryKey(),
    height: height('height').notNull(),
    /** Of the block at `height`. */
    hash: hash('hash').notNull(),
    blockTime: moment('block_time').notNull(),
    /** Time of the newest block seen, final or not: dates cannot be before it. Of `payments` alone. */
    newestBlockTime: moment('newest_block_time'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [check('cursors_name', sql`${t.name} in ('payments', 'outgoing')`)],
)

/**
 * What the workers last saw: `nodes` is whether two agree on the final block, `solvency` what the operator's wallets held and what
 * was owed at one final block, `chain` and `anchorKey` are only shown. Triggers tell people of states.
 */
export const reports = pgTable(
  'reports',
  {
    name: text('name').$type<'nodes' | 'solvency' | 'chain' | 'anchorKey'>().primaryKey(),
    state: text('state').$type<'answering' | 'waiting' | 'paused' | Cover>(),
    /** Since when the state is this one; `nodes` keep the beginning of `waiting` when sales are `paused`. */
    since: moment('since'),
    facts: jsonb('facts').notNull().default({}),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    check(
      'reports_state',
      sql`case ${t.name}
        when 'nodes' then ${t.state} is not null and ${t.state} in ('answering', 'waiting', 'paused')
          and (${t.state} = 'answering') = (${t.since} is null)
        when 'solvency' then ${t.state} is not null and ${t.state} in ('covered', 'short', 'unknown') and ${t.since} is not null
          and (${t.state} = 'unknown' or num_nonnulls(${t.facts} ->> 'held', ${t.facts} ->> 'required') = 2)
        else ${t.state} is null end`,
    ),
  ],
)
