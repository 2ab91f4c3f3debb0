import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../core/admin/language.ts'
import type {
  ChannelKind,
  ChannelSettings,
  DeliveryProblem,
  DeliveryState,
  Notice,
  NoticeFacts,
} from '../../core/notify/kinds.ts'
import { bytea, moment, serialKey } from './columns.ts'

/** Written in the transaction of what it tells; each thing of a kind is told once. A trigger refuses update and delete. */
export const notifications = pgTable(
  'notifications',
  {
    id: serialKey(),
    /** What receivers know a message by; random, so that a restored database tells nothing under an old one. */
    key: uuid('key').notNull().defaultRandom().unique(),
    kind: text('kind').$type<Notice['kind']>().notNull(),
    /** What it happened to, and where it can happen again, which time. */
    subject: text('subject').notNull(),
    eventNumber: integer('event_number'),
    facts: jsonb('facts').$type<NoticeFacts>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [unique('notifications_once').on(t.kind, t.subject)],
)

/** A channel is never changed: another one takes its place. A removed one still gets what happened before, its removal too. */
export const channels = pgTable(
  'channels',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<ChannelKind>().notNull(),
    name: text('name').notNull(),
    language: text('language').$type<Language>().notNull(),
    settings: jsonb('settings').$type<ChannelSettings[ChannelKind]>().notNull(),
    /** AES-GCM under SECRET_KEY; gone some days after the removal. */
    secret: bytea('secret'),
    createdAt: moment('created_at').notNull().defaultNow(),
    removedAt: moment('removed_at'),
  },
  (t) => [check('channels_values', sql`${t.kind} in ('webhook', 'email') and ${t.language} in ('ko', 'en')`)],
)

/** The outbox: one message to one channel. A trigger adds them with the notification. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: serialKey(),
    notificationId: bigint('notification_id', { mode: 'number' })
      .notNull()
      .references(() => notifications.id),
    channelId: integer('channel_id')
      .notNull()
      .references(() => channels.id),
    state: text('state').$type<DeliveryState>().notNull().default('waiting'),
    /** The last try; of what was sent, when. */
    triedAt: moment('tried_at'),
    problem: text('problem').$type<DeliveryProblem>(),
  },
  (t) => [
    unique('deliveries_once').on(t.notificationId, t.channelId),
    index('deliveries_waiting').on(t.id).where(sql`${t.state} = 'waiting'`),
    check(
      'deliveries_state',
      sql`${t.state} in ('waiting', 'sent', 'given_up') and (${t.state} = 'sent') = (${t.triedAt} is not null and ${t.problem} is null)`,
    ),
  ],
)
