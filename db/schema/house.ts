import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { EventContent } from '../../core/content/event-content.ts'
import type { Entropy } from '../../core/event/event.ts'
import type { Branding } from '../../core/house/branding.ts'
import type { LegalKind } from '../../core/house/rules.ts'
import type { PublicEventSettings } from '../../core/live/public.ts'
import { moment, oneRowKey, onlyOne } from './columns.ts'

/** Every version that was ever saved: append-only, as buyers have accepted it. */
export const legalTexts = pgTable(
  'legal_texts',
  {
    sha256: text('sha256').$type<Hex>().primaryKey(),
    kind: text('kind').$type<LegalKind>().notNull(),
    en: text('en').notNull(),
    ko: text('ko').notNull(),
    savedAt: moment('saved_at').notNull().defaultNow(),
  },
  (t) => [
    check('legal_texts_kind', sql`${t.kind} in ('terms', 'privacy')`),
    check('legal_texts_sha256', sql`${t.sha256} ~ '^0x[0-9a-f]{64}$'`),
  ],
)

/** One row: login, rules of the land, branding, the Next Event section, and the draft of the next event. */
export const settings = pgTable(
  'settings',
  {
    id: oneRowKey(),
    requireOtp: boolean('require_otp').notNull().default(false),
    /** Who may log in; empty: every address. */
    allowedIps: text('allowed_ips').array().notNull().default(sql`'{}'::text[]`),
    minAge: integer('min_age'),
    requireAcceptance: boolean('require_acceptance').notNull().default(false),
    termsSha256: text('terms_sha256')
      .$type<Hex>()
      .references(() => legalTexts.sha256),
    privacySha256: text('privacy_sha256')
      .$type<Hex>()
      .references(() => legalTexts.sha256),
    closedCountries: text('closed_countries').array().notNull().default(sql`'{}'`),
    /** Of the rules. */
    revision: integer('revision').notNull().default(1),
    /** What was saved of it; the rest is as the page was built. */
    branding: jsonb('branding').$type<Partial<Branding>>().notNull().default({}),
    nextEvent: jsonb('next_event').$type<Partial<PublicEventSettings>>().notNull().default({}),
    /** Null leaves a term as it is without a draft. Emptied and never deleted, so that no revision comes twice. */
    drawDate: moment('draw_date'),
    minTickets: integer('min_tickets'),
    autoDraw: boolean('auto_draw'),
    claimDays: integer('claim_days'),
    entropy: text('entropy').$type<Entropy>(),
    /** When a draft was last saved; null while there is none. */
    draftSavedAt: moment('draft_saved_at'),
    draftRevision: integer('draft_revision').notNull().default(1),
    /** Null while there is no draft of it: the next event takes over the content of the one before. */
    content: jsonb('content').$type<EventContent>(),
    contentRevision: integer('content_revision').notNull().default(1),
  },
  (t) => [
    onlyOne('settings', t.id),
    check(
      'settings_draft',
      sql`${t.minTickets} between 1 and 10000000 and ${t.claimDays} between 7 and 90
        and ${t.entropy} in ('blocks', 'blocks+drand')`,
    ),
    check('settings_age', sql`${t.minAge} between 14 and 30`),
    // Nobody can accept what does not exist.
    check('settings_acceptance', sql`${t.termsSha256} is not null or not ${t.requireAcceptance}`),
  ],
)
