/** What holders of prizes signed, and what administrators said of prizes. Whose turn it is, is computed: core/prize/turns.ts. */
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { PrizeAct } from '../../core/prize/public.ts'
import { address, moment, serialKey } from './columns.ts'
import { events } from './event.ts'

/**
 * Every claim by signature, also those that said nothing new; the nonce makes each message good once. A trigger refuses update
 * and delete. Claims on chain are anchors.
 */
export const prizeClaims = pgTable(
  'prize_claims',
  {
    nonce: text('nonce').primaryKey(),
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    place: integer('place').notNull(),
    wallet: address('wallet').notNull(),
    message: text('message').notNull(),
    signature: text('signature').$type<Hex>().notNull(),
    /** By the holder's own key (`personal`), or by his contract (`contract`, ERC-1271). */
    proof: text('proof').$type<'personal' | 'contract'>().notNull(),
    /** The newest final block then, which decides. */
    at: moment('at').notNull(),
    createdAt: moment('created_at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index('prize_claims_event').on(t.eventNumber)],
)

/** What an administrator said of goods, for the holder of that moment; a trigger refuses update and delete. */
export const prizeEvents = pgTable(
  'prize_events',
  {
    id: serialKey(),
    eventNumber: integer('event_number')
      .notNull()
      .references(() => events.number),
    place: integer('place').notNull(),
    act: text('act').$type<PrizeAct>().notNull(),
    wallet: address('wallet').notNull(),
    /** Carrier and number of a parcel, which is not public. */
    tracking: text('tracking'),
    /** Why what was said to be sent was not, as everybody reads it. */
    reason: text('reason'),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    index('prize_events_event').on(t.eventNumber, t.place, t.id),
    check('prize_events_act', sql`${t.act} in ('sent', 'corrected', 'delivered')`),
    check('prize_events_tracking', sql`${t.act} = 'sent' or ${t.tracking} is null`),
    check('prize_events_reason', sql`(${t.act} = 'corrected') = (${t.reason} is not null)`),
  ],
)
