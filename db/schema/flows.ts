/** What the wallets of the operator held at first, what came to them besides payments, and what is told of both. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { OpeningGap } from '../../core/flows/flow.ts'
import type { Point } from '../../core/flows/thin.ts'
import type { PublicSolvency } from '../../core/live/solvency.ts'
import { address, hash, height, moment, serialKey, units } from './columns.ts'
import { events } from './event.ts'

/**
 * What a wallet of ours held at a final block, from which on every transfer is known: opening + in - out is its balance
 * from there. One is open for each wallet and token; what closes it is a replaced block, another token of the event, or the
 * first balance that is told after none could be.
 */
export const walletOpenings = pgTable(
  'wallet_openings',
  {
    id: serialKey(),
    wallet: address('wallet').notNull(),
    token: address('token').notNull(),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash').notNull(),
    blockTime: moment('block_time').notNull(),
    /** Null while no two endpoints could tell it; `why` says what was in the way. */
    units: units('units'),
    why: text('why').$type<OpeningGap>(),
    /** False after a reorg of its block or an earlier one, until the block was looked up again. */
    isOnChain: boolean('is_on_chain').notNull().default(true),
    closedAt: moment('closed_at'),
    /** Of a wallet that only refunds: up to where the transfers to it were read. */
    receivedTo: height('received_to'),
    /** The last final block at which two endpoints told the balance, and what it was more than opening + in - out. */
    checkedBlock: height('checked_block'),
    difference: units('difference'),
    /** The same difference was told at two final blocks: since when, and the one that was alarmed last. */
    brokenAt: moment('broken_at'),
    brokenBy: units('broken_by'),
  },
  (t) => [
    uniqueIndex('wallet_openings_open').on(t.wallet, t.token).where(sql`${t.closedAt} is null`),
    check('wallet_openings_told', sql`(${t.units} is null) = (${t.why} is not null)`),
  ],
)

/** Final transfers to wallets of ours that only refund: no payments, but money that they hold. */
export const walletReceipts = pgTable(
  'wallet_receipts',
  {
    transactionHash: hash('transaction_hash').notNull(),
    wallet: address('wallet').notNull(),
    token: address('token').notNull(),
    /** Position among this transaction's transfers of the token to the wallet: the block-wide index can move in a reorg. */
    logPosition: integer('log_position').notNull(),
    payer: address('payer').notNull(),
    units: units('units').notNull(),
    blockNumber: height('block_number').notNull(),
    blockHash: hash('block_hash').notNull(),
    blockTime: moment('block_time').notNull(),
    transactionIndex: integer('transaction_index').notNull(),
    logIndex: integer('log_index').notNull(),
    /** A reorg removed it: it counts only if it is mined again. */
    isGone: boolean('is_gone').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.transactionHash, t.wallet, t.token, t.logPosition] }),
    index('wallet_receipts_block').on(t.blockNumber),
    check('wallet_receipts_units', sql`${t.units} > 0`),
  ],
)

/** Something changed among transfers that had been read: whoever goes on from an earlier sum begins anew. Append-only. */
export const flowBreaks = pgTable('flow_breaks', {
  id: serialKey(),
  at: moment('at').notNull().defaultNow(),
})

/** What was last reckoned for an event, as it is told, and its past in few points. */
export const solvency = pgTable('solvency', {
  eventNumber: integer('event_number')
    .primaryKey()
    .references(() => events.number),
  /** The final block of it. */
  height: height('height').notNull(),
  facts: jsonb('facts').$type<PublicSolvency>().notNull(),
  points: jsonb('points').$type<Point[]>().notNull().default([]),
  /** What one payer is owed below this is dust, and not required. */
  dust: units('dust').notNull(),
  /** When balances were last asked for, and how many times in a row up to then nobody told them. */
  askedAt: moment('asked_at'),
  untold: integer('untold').notNull().default(0),
  reckonedAt: moment('reckoned_at').notNull().defaultNow(),
})
