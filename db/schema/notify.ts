/** What has happened and is told, the channels that it is told by, and what became of each message. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Language } from '../../core/admin/language.ts'
import type {
  ChannelKind,
  ChannelSettings,
  DeliveryProblem,
  DeliveryState,
  Notice,
  NoticeFacts,
  NoticeKind,
} from '../../core/notify/kinds.ts'
import { bytea, moment, serialKey } from './columns.ts'

/** The outbox. Triggers write it with what it tells; each thing of a kind is told once. A trigger refuses update and delete. */
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

/** A removed channel stays as a name for what was sent by it; its secret does not. */
export const channels = pgTable(
  'channels',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').$type<ChannelKind>().notNull(),
    name: text('name').notNull(),
    language: text('language').$type<Language>().notNull(),
    settings: jsonb('settings').$type<ChannelSettings[ChannelKind]>().notNull(),
    /** AES-GCM under SECRET_KEY. */
    secret: bytea('secret'),
    events: text('events').array().$type<NoticeKind[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: moment('created_at').notNull().defaultNow(),
    removedAt: moment('removed_at'),
    revision: integer('revision').notNull().default(1),
  },
  (t) => [
    check(
      'channels_values',
      sql`${t.kind} in ('webhook', 'telegram', 'email') and ${t.language} in ('ko', 'en')`,
    ),
    check('channels_removed', sql`${t.removedAt} is null or (${t.secret} is null and not ${t.enabled})`),
  ],
)

/** One message to one channel. A trigger adds them with the notification, for the channels that want its kind then. */
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
    /** Since it was added or last begun anew. */
    attempts: integer('attempts').notNull().default(0),
    firstTriedAt: moment('first_tried_at'),
    /** While a worker sends it, when another may: a worker that was killed does not say so. */
    nextTryAt: moment('next_try_at').notNull().defaultNow(),
    /** While it is being sent: a channel has only so many at once. */
    takenAt: moment('taken_at'),
    sentAt: moment('sent_at'),
    problem: text('problem').$type<DeliveryProblem>(),
  },
  (t) => [
    unique('deliveries_once').on(t.notificationId, t.channelId),
    index('deliveries_due').on(t.nextTryAt).where(sql`${t.state} = 'waiting'`),
    check(
      'deliveries_state',
      sql`${t.state} in ('waiting', 'sent', 'given_up', 'dropped') and (${t.state} = 'sent') = (${t.sentAt} is not null)`,
    ),
  ],
)
