import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, pgView, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import type { PrizeAct } from '../../core/prize/promise.ts'
import { address, hash, height, moment, serialKey, units } from './columns.ts'
import { type DrawBlock, ofEvent } from './event.ts'
import { payments } from './payments.ts'

/** Every `Anchored` log of our book, by whomever, whatever it carries. None is changed; a rewind takes back what lies above it. */
export const anchors = pgTable(
  'anchors',
  {
    /** Not of a row: a restored database may lack the event. */
    eventNumber: integer('event_number').notNull(),
    wallet: address('wallet').notNull(),
    commitment: text('commitment').$type<Hex>().notNull(),
    transactionHash: hash('transaction_hash').notNull(),
    blockNumber: height('block_number').notNull(),
    blockTime: moment('block_time').notNull(),
    logIndex: integer('log_index').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.transactionHash, t.logIndex] }),
    index('anchors_event').on(t.eventNumber, t.blockNumber, t.logIndex),
  ],
)

/** Written before it was sent; the last attempt of a nonce is sent again. Without an event it deploys the register. */
export const anchorSends = pgTable(
  'anchor_sends',
  {
    wallet: address('wallet').notNull(),
    nonce: integer('nonce').notNull(),
    attempt: integer('attempt').notNull(),
    eventNumber: ofEvent(),
    commitment: text('commitment').$type<Hex>(),
    gasPrice: units('gas_price').notNull(),
    transactionHash: hash('transaction_hash').notNull(),
    sentAt: moment('sent_at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    primaryKey({ columns: [t.wallet, t.nonce, t.attempt] }),
    check('anchor_sends_what', sql`(${t.eventNumber} is null) = (${t.commitment} is null)`),
  ],
)

export type DrawnPayment = { ticket: number; payment: number }

/** Inputs and result of a draw, once per event; a trigger refuses update and delete. */
export const draws = pgTable(
  'draws',
  {
    eventNumber: ofEvent().primaryKey(),
    blocks: jsonb('blocks').$type<DrawBlock[]>().notNull(),
    ledgerSha256: text('ledger_sha256').$type<Hex>().notNull(),
    ticketsSold: integer('tickets_sold').notNull(),
    blockSeed: text('block_seed').$type<Hex>().notNull(),
    /** The round that was mixed in; null for `blocks`. */
    beacon: jsonb('beacon').$type<ProofBeacon>(),
    seed: text('seed').$type<Hex>().notNull(),
    counter: integer('counter').notNull(),
    randomNumber: units('random_number').notNull(),
    winningTicket: integer('winning_ticket').notNull(),
    winningPayment: bigint('winning_payment', { mode: 'number' })
      .notNull()
      .references(() => payments.id),
    /** In order; the first is `winningTicket`. No foreign key: a trigger keeps payments of a drawn event. */
    winners: jsonb('winners').$type<DrawnPayment[]>().notNull(),
    reserves: jsonb('reserves').$type<DrawnPayment[]>().notNull(),
    drawnAt: moment('drawn_at').notNull().defaultNow(),
    /** Time of the newest final block then: turns to claim prizes begin with it, never with a clock. */
    turnsFrom: moment('turns_from').notNull().defaultNow(),
  },
  (t) => [check('draws_winning', sql`${t.winningTicket} between 1 and ${t.ticketsSold}`)],
)

/** Who was drawn, a line a place, with the payment that holds the ticket. */
export const drawnTickets = pgView('drawn_tickets', {
  eventNumber: integer('event_number').notNull(),
  kind: text('kind').$type<'winner' | 'reserve'>().notNull(),
  place: integer('place').notNull(),
  ticket: integer('ticket').notNull(),
  payment: bigint('payment', { mode: 'number' }).notNull(),
  payer: address('payer').notNull(),
  transactionHash: hash('transaction_hash').notNull(),
  ticketNumber: integer('ticket_number').notNull(),
  ticketCount: integer('ticket_count').notNull(),
}).existing()

/** Signatures of beacon rounds as they were brought, each checked again wherever it is used; a trigger refuses update and delete. */
export const beacons = pgTable(
  'beacons',
  {
    chainHash: text('chain_hash').$type<Hex>().notNull(),
    round: bigint('round', { mode: 'number' }).notNull(),
    signature: text('signature').$type<Hex>().notNull(),
    receivedAt: moment('received_at').notNull().defaultNow(),
    /** Who brought it: the host of a relay, or `visitor`. */
    source: text('source').notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainHash, t.round, t.signature] })],
)

/**
 * What holders of prizes signed, also where it said nothing new, and what administrators said of goods, for the holder of that
 * moment; append-only. Claims on chain are anchors. Whose turn it is, is computed: core/prize/turns.ts.
 */
export const prizeActs = pgTable(
  'prize_acts',
  {
    id: serialKey(),
    eventNumber: ofEvent().notNull(),
    place: integer('place').notNull(),
    act: text('act').$type<'claimed' | PrizeAct>().notNull(),
    wallet: address('wallet').notNull(),
    /** Makes each message good once. */
    nonce: text('nonce').unique(),
    message: text('message'),
    signature: text('signature').$type<Hex>(),
    /** By the holder's own key (`personal`), or by his contract (`contract`, ERC-1271). */
    proof: text('proof').$type<'personal' | 'contract'>(),
    /** Carrier and number of a parcel, which is not public. */
    tracking: text('tracking'),
    /** Why what was said to be sent was not, as everybody reads it. */
    reason: text('reason'),
    /** Of a claim that of the newest final block, which decides. */
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    createdAt: moment('created_at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    index('prize_acts_event').on(t.eventNumber, t.place, t.id),
    check('prize_acts_act', sql`${t.act} in ('claimed', 'sent', 'corrected', 'delivered')`),
    check(
      'prize_acts_signed',
      sql`num_nonnulls(${t.nonce}, ${t.message}, ${t.signature}, ${t.proof}) = case ${t.act} when 'claimed' then 4 else 0 end`,
    ),
    check('prize_acts_tracking', sql`${t.act} = 'sent' or ${t.tracking} is null`),
    check('prize_acts_reason', sql`(${t.act} = 'corrected') = (${t.reason} is not null)`),
  ],
)
