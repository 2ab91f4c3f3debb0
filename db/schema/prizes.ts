/** What became of the prizes of a drawn event, and what their holders signed. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { PrizeKind, PrizeState, PublicPrizeStep } from '../../core/prize/public.ts'
import { address, hash, height, moment, serialKey, units } from './columns.ts'
import { events } from './event.ts'

/** The prize of one winner, and where it stands; how it came there is in `prize_steps`. Promise and winner never change. */
export const prizes = pgTable(
  'prizes',
  {
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    /** 1..`winners`. */
    place: integer('place').notNull(),
    kind: text('kind').$type<PrizeKind>().notNull(),
    /** Null for goods. */
    units: units('units'),
    token: address('token').notNull(),
    /** Who was drawn for it. */
    wallet: address('wallet').notNull(),
    /** The newest final block when the draw was recorded: the first turn begins then. */
    drawnAt: moment('drawn_at').notNull(),
    drawnBlock: height('drawn_block').notNull(),
    state: text('state').$type<PrizeState>().notNull(),
    /** Null when all turns went by. */
    holderKind: text('holder_kind').$type<'winner' | 'reserve'>(),
    holderPlace: integer('holder_place'),
    holderWallet: address('holder_wallet'),
    /** Whether a contract signs for the holder (ERC-1271), as a worker saw; null until one has looked. */
    holderIsContract: boolean('holder_is_contract'),
    claimBy: moment('claim_by'),
    /** The newest final block by which the turns were reckoned: they never go back before it. */
    reachedAt: moment('reached_at').notNull(),
    /** Carrier and number of a parcel, for administrators. */
    tracking: text('tracking'),
  },
  (t) => [
    primaryKey({ columns: [t.eventNumber, t.place] }),
    index('prizes_open').on(t.state).where(sql`${t.state} in ('unclaimed', 'claimed', 'due')`),
    check('prizes_units', sql`(${t.kind} = 'token') = (${t.units} is not null) and ${t.units} > 0`),
    check(
      'prizes_state',
      sql`case ${t.kind} when 'token' then ${t.state} in ('due', 'paid')
        when 'goods' then ${t.state} in ('unclaimed', 'claimed', 'shipped', 'delivered') else false end`,
    ),
    check(
      'prizes_holder',
      sql`(${t.holderKind} is null) = (${t.holderWallet} is null) and (${t.holderPlace} is null) = (${t.holderWallet} is null)
        and (${t.holderWallet} is not null or ${t.state} = 'unclaimed')`,
    ),
  ],
)

/**
 * Each thing that became of a prize; a trigger refuses update and delete. What a reorg or a mark took back stays,
 * and a row `undone` names it.
 */
export const prizeSteps = pgTable(
  'prize_steps',
  {
    id: serialKey(),
    eventNumber: integer('event_number').notNull(),
    place: integer('place').notNull(),
    step: text('step').$type<PublicPrizeStep['step'] | 'undone'>().notNull(),
    /** Block time of what the chain says, else the database's. */
    at: moment('at').notNull(),
    wallet: address('wallet').notNull(),
    transactionHash: hash('transaction_hash'),
    /** How often the same was undone before. */
    round: integer('round').notNull().default(0),
    undoes: bigint('undoes', { mode: 'number' }),
    /** Why an administrator took a step back, as everybody reads it. */
    reason: text('reason'),
    notedAt: moment('noted_at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    uniqueIndex('prize_steps_once')
      .on(t.eventNumber, t.place, t.step, t.wallet, t.round)
      .where(sql`${t.step} <> 'undone'`),
    uniqueIndex('prize_steps_undone').on(t.undoes).where(sql`${t.undoes} is not null`),
    check('prize_steps_undoes', sql`(${t.step} = 'undone') = (${t.undoes} is not null)`),
    check('prize_steps_reason', sql`(${t.step} = 'corrected') = (${t.reason} is not null)`),
  ],
)

/** What a holder signs: his own key (`personal`), or as a contract (`contract`, ERC-1271). */
const signedColumns = () => ({
  wallet: address('wallet').notNull(),
  message: text('message').notNull(),
  signature: text('signature').$type<Hex>().notNull(),
  proof: text('proof').$type<'personal' | 'contract'>().notNull(),
  createdAt: moment('created_at').notNull().default(sql`clock_timestamp()`),
})

/** Claims by signature, the first of each turn; a trigger refuses update and delete. Those on chain are payments. */
export const prizeClaims = pgTable(
  'prize_claims',
  {
    eventNumber: integer('event_number').notNull(),
    place: integer('place').notNull(),
    ...signedColumns(),
    /** The newest final block then. */
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventNumber, t.place, t.wallet, t.at] })],
)

/** Holders' word that goods have come; a trigger refuses update and delete. */
export const prizeReceipts = pgTable(
  'prize_receipts',
  { eventNumber: integer('event_number').notNull(), place: integer('place').notNull(), ...signedColumns() },
  (t) => [primaryKey({ columns: [t.eventNumber, t.place] })],
)

/** Nonces of messages that were taken: none is taken twice, by whichever process. */
export const claimNonces = pgTable('claim_nonces', {
  nonce: text('nonce').primaryKey(),
  usedAt: moment('used_at').notNull().default(sql`clock_timestamp()`),
})
