/** The anchor and the draw of an event, and the calls that wait for a worker. */
import { sql } from 'drizzle-orm'
import { bigint, bigserial, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Hash, Hex } from 'viem'
import type { ErrorCode } from '../../core/errors.ts'
import { hash, height, moment, units } from './columns.ts'
import { events } from './event.ts'
import { payments } from './payments.ts'

/**
 * The fingerprint of a frozen ledger, put on chain by the operator before the draw block. It counts while it
 * is the event's fingerprint: a refolded ledger needs a new anchor.
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
 * An administrator's request that only a worker can do, as it needs the chain. The call waits for the answer;
 * a request that expired before it was begun is not done any more.
 */
export const workerRequests = pgTable(
  'worker_requests',
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
    /** Null for success, else the code of the refusal; before the answer, why it is not done yet. */
    code: text('code').$type<ErrorCode>(),
    message: text('message'),
  },
  (t) => [index('worker_requests_open').on(t.kind, t.eventNumber).where(sql`${t.answeredAt} is null`)],
)
