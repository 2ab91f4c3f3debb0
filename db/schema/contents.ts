/** What events raffle and say of it: every version that was ever saved, the draft of the next one, and corrections. */
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import { moment, oneRowKey, onlyOne, serialKey } from './columns.ts'

/** Saved contents, which events and the draft name by their ids; a trigger refuses update and delete. */
export const contents = pgTable(
  'contents',
  {
    id: serialKey(),
    /** The event that it was saved for. A later one that takes it over names the same row. */
    eventNumber: integer('event_number').notNull(),
    content: jsonb('content').$type<EventContent>().notNull(),
    contentSha256: text('content_sha256').$type<Hex>().notNull(),
    savedAt: moment('saved_at').notNull().default(sql`clock_timestamp()`),
    /** Null for the one that a first event begins with. */
    savedBy: text('saved_by'),
  },
  (t) => [
    index('contents_of_event').on(t.eventNumber, t.id),
    check('contents_sha256', sql`${t.contentSha256} ~ '^0x[0-9a-f]{64}$'`),
  ],
)

/** One row, which is emptied and never deleted, so that no revision comes twice. */
export const contentDraft = pgTable(
  'content_draft',
  {
    id: oneRowKey(),
    /** Null while there is no draft: the next event takes over the content of the one before. */
    contentId: bigint('content_id', { mode: 'number' }).references(() => contents.id),
    revision: integer('revision').notNull().default(1),
  },
  (t) => [onlyOne('content_draft', t.id)],
)

/** What was added to an event's content later; a trigger refuses update and delete. */
export const corrections = pgTable(
  'corrections',
  {
    id: serialKey(),
    eventNumber: integer('event_number').notNull(),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    en: text('en').notNull(),
    ko: text('ko').notNull(),
    addedBy: text('added_by').notNull(),
  },
  (t) => [index('corrections_of_event').on(t.eventNumber, t.id)],
)
