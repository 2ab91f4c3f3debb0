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
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { type Address, type Hash, type Hex, zeroAddress } from 'viem'
import { register } from '../../core/chain/register.ts'
import type { EventContent } from '../../core/content/event-content.ts'
import type { ProofBeacon } from '../../core/draw/proof.ts'
import type { Entropy } from '../../core/event/event.ts'
import type { PrizePromise } from '../../core/prize/promise.ts'
import type { RefundCause } from '../../core/refund/rules.ts'
import { address, hash, height, moment, oneRowKey, onlyOne, serialKey, units } from './columns.ts'

/** What is sent to one of these is lost for good. */
const graves = sql.raw(`'${zeroAddress}', '${register.address.toLowerCase()}'`)

export type DrawBlock = { number: string; hash: Hash; timestamp: number; miner: Address }
export type BeaconRound = Omit<ProofBeacon, 'signature' | 'randomness'>

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
    autoDraw: boolean('auto_draw').notNull().default(true),
    entropy: text('entropy').$type<Entropy>().notNull().default('blocks'),
    winners: integer('winners').notNull().default(1),
    /** By place, as short as can be: goods where nothing stands. */
    prizes: jsonb('prizes').$type<PrizePromise[]>().notNull().default([]),
    claimDays: integer('claim_days').notNull().default(30),
    anchorWallet: address('anchor_wallet'),
    contentSha256: text('content_sha256').$type<Hex>(),
    /** What it raffles; its promised part has this SHA-256. Null with it where nobody wrote one. */
    content: jsonb('content').$type<EventContent>(),
    /** Terms that a draft chose: a process that starts with another environment leaves them as they are. */
    drafted: text('drafted').array().notNull().default(sql`'{}'`),
    /** The terms line, set with the freeze. */
    terms: text('terms'),
    /** Block time of the first payment that got a ticket, or of the anchor of the terms: they never change since. */
    lockedAt: moment('locked_at'),
    googleFormUrl: text('google_form_url'),
    ticketsSold: integer('tickets_sold').notNull().default(0),
    /** Set together when every block before the sale end is final and scanned. */
    frozenAt: moment('frozen_at'),
    ledgerSha256: text('ledger_sha256').$type<Hex>(),
    ledgerLines: integer('ledger_lines'),
    /** Height and time of the block up to which the sale was read a second time, with the same payments. */
    readTwiceTo: height('read_twice_to'),
    readTwiceTime: moment('read_twice_time'),
    /** Set while the blocks after it could not be read twice. */
    readTwiceFailedAt: moment('read_twice_failed_at'),
    /** `stop-sale`: the operator ended the sale into refund mode. */
    stoppedAt: moment('stopped_at'),
    refundNotice: boolean('refund_notice').notNull().default(false),
    /** A missed payment or a reorg below finality: sales wait until the chain was read again, or an administrator resumes them. */
    haltedAt: moment('halted_at'),
    drawWantedAt: moment('draw_wanted_at'),
    /** The five blocks, as soon as D is final and they were read; a trigger keeps them, and the round. */
    drawBlocks: jsonb('draw_blocks').$type<DrawBlock[]>(),
    /** The round, as soon as D+32 is final. */
    beaconRound: jsonb('beacon_round').$type<BeaconRound>(),
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
      sql`${t.entropy} in ('blocks', 'blocks+drand') and ${t.winners} between 1 and 20 and ${t.claimDays} between 7 and 90`,
    ),
    // Money sent to either of them is lost for good.
    check(
      'events_wallet',
      sql`${t.operatorWallet} not in (${t.token}, ${graves})
        and ${t.anchorWallet} not in (${t.token}, ${graves}) and ${t.anchorWallet} <> ${t.operatorWallet}`,
    ),
    check(
      'events_content',
      sql`(${t.content} is null) = (${t.contentSha256} is null) and ${t.contentSha256} ~ '^0x[0-9a-f]{64}$'`,
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
        and (${t.terms} is null or ${t.frozenAt} is not null)`,
    ),
  ],
)

export const ofEvent = () => integer('event_number').references(() => events.number)

/** How an event ended, once and for ever: drawn, or all its money goes back. A trigger refuses update and delete. */
export const endings = pgTable(
  'endings',
  {
    eventNumber: ofEvent().primaryKey(),
    kind: text('kind').$type<'drawn' | 'refunds'>().notNull(),
    reason: text('reason').$type<RefundCause>(),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [
    check(
      'endings_reason',
      sql`${t.kind} in ('drawn', 'refunds') and (${t.kind} = 'refunds') = (${t.reason} is not null)`,
    ),
  ],
)

/** Written by a trigger with each change: a payment is judged by the version in force at the time of its block. */
export const termsVersions = pgTable(
  'terms_versions',
  {
    eventNumber: ofEvent().notNull(),
    /** After all blocks that were seen when it was set. */
    since: moment('since').notNull(),
    line: text('line').notNull(),
    /** The event's row as it was then, by the names of its columns. */
    row: jsonb('row').notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventNumber, t.since] })],
)

/** Every wallet that tickets were ever paid to; former ones are still watched. */
export const operatorWallets = pgTable(
  'operator_wallets',
  {
    address: address('address').primaryKey(),
    /** An administrator's word that its key was stolen: what was paid to it in blocks from this time on is held. */
    stolenFrom: moment('stolen_from'),
    since: moment('since').notNull().defaultNow(),
    /** When the register was asked whether it knows this wallet under another book; null before, and for wallets of later events. */
    booksReadAt: moment('books_read_at'),
  },
  (t) => [check('operator_wallets_address', sql`${t.address} not in (${graves})`)],
)

/** Texts that a wallet is said to have signed and no key has: its contract is asked (ERC-1271). Kept as proof, but for what visitors had asked in vain. */
export const walletProofs = pgTable(
  'wallet_proofs',
  {
    id: serialKey(),
    wallet: address('wallet').notNull(),
    /** Of the text, as EIP-191 has it. */
    digest: hash('digest').notNull(),
    signature: text('signature').$type<Hex>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    answeredAt: moment('answered_at'),
    isGood: boolean('is_good'),
    /** Key of the visitor's address, where anybody may have it asked; null where only administrators may. */
    askedBy: text('asked_by'),
  },
  (t) => [index('wallet_proofs_open').on(t.id).where(sql`${t.answeredAt} is null`)],
)

export const changes = pgTable(
  'changes',
  {
    id: serialKey(),
    eventNumber: ofEvent().notNull(),
    at: moment('at').notNull().defaultNow(),
    field: text('field').notNull(),
    from: text('from'),
    to: text('to'),
  },
  (t) => [index('changes_of_event').on(t.eventNumber, t.id)],
)

/** One row, whose triggers notify of each version, and keep the book. */
export const house = pgTable(
  'house',
  {
    id: oneRowKey(),
    /** Raised by a migration that older programs cannot work with, see `schema-major.ts`. */
    schemaMajor: integer('schema_major').notNull().default(1),
    /** Of the public state; its update is a commit's last step, so versions are in commit order. */
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    /** Tells this raffle from any other life of the same wallet: set by a trigger when event 1 first has a wallet. */
    book: text('book').$type<Hex>(),
    /** When this database was restored; null once it was compared with the chain. Until then it decides nothing. */
    shutSince: moment('shut_since'),
  },
  (t) => [onlyOne('house', t.id)],
)
