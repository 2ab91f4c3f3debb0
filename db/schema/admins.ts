import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Language } from '../../core/admin/language.ts'
import { bytea, moment } from './columns.ts'

export const admins = pgTable(
  'admins',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    username: text('username').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Until when a printed password opens the login, which then leads only to a new one; null: chosen by its owner. */
    oneTimeUntil: moment('one_time_until'),
    /** AES-GCM under SECRET_KEY. */
    otpSecret: bytea('otp_secret'),
    /** A new secret that waits for its first code; the old one counts until then. */
    otpPendingSecret: bytea('otp_pending_secret'),
    otpPendingSince: moment('otp_pending_since'),
    otpConfirmedAt: moment('otp_confirmed_at'),
    /** Last accepted time step: a code works once. */
    otpLastStep: bigint('otp_last_step', { mode: 'number' }).notNull().default(0),
    /** Of codes that were not used, each good for one login. */
    recoveryHashes: text('recovery_hashes').array().notNull().default(sql`'{}'::text[]`),
    /** What the administrator area is written in; null: never chosen. */
    language: text('language').$type<Language>(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Sees everything and changes nothing but what is his own. */
    readOnly: boolean('read_only').notNull().default(false),
    /** Removed: no password opens the account, and its name stays in the audit list. */
    disabledAt: moment('disabled_at'),
  },
  (t) => [
    uniqueIndex('admins_username').on(sql`lower(${t.username})`),
    check('admins_language', sql`${t.language} in ('ko', 'en')`),
  ],
)

const ofAdmin = () =>
  integer('admin_id')
    .notNull()
    .references(() => admins.id)

/** Second factors beside the code of an app: a key pair on a device, whose public half is here. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    adminId: ofAdmin(),
    name: text('name').notNull(),
    /** As base64url. */
    credentialId: text('credential_id').notNull().unique(),
    publicKey: bytea('public_key').notNull(),
    /** How often the device says it has signed; 0 where it does not count. It never goes back. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull().default(sql`'{}'::text[]`),
    /** The site's host name that the key is bound to. */
    rpId: text('rp_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [index('passkeys_admin').on(t.adminId)],
)

/** What a device is asked to sign: good for two minutes, once, for the same purpose and caller. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    hash: text('hash').primaryKey(),
    adminId: ofAdmin(),
    purpose: text('purpose').$type<'login' | 'reauth' | 'add'>().notNull(),
    /** The session, browser or address that asked. */
    boundTo: text('bound_to').notNull(),
    origin: text('origin').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('passkey_challenges_created').on(t.createdAt)],
)

/** A session is stored under the SHA-256 of its token; the token itself is not stored. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    adminId: ofAdmin(),
    clientAddress: text('client_address').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    /** Last time a password or code was entered: money and security changes require a recent one. */
    freshAt: moment('fresh_at').notNull().defaultNow(),
    revokedAt: moment('revoked_at'),
    /** SHA-256 of the cookie of the browser that logged in: the session is good only with it. Null: a program's. */
    browserHash: text('browser_hash'),
  },
  (t) => [index('sessions_admin').on(t.adminId), index('sessions_created').on(t.createdAt)],
)

export const uploads = pgTable('uploads', {
  key: text('key').primaryKey(),
  adminId: ofAdmin(),
  /** Who requested it, for the limit of uploads per day. */
  clientAddress: text('client_address'),
  createdAt: moment('created_at').notNull().defaultNow(),
  usedAt: moment('used_at'),
})

/** Every action of an administrator, also a refused one. Rows are only added: a trigger refuses the rest, and logs each. */
export const audit = pgTable(
  'audit',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull().defaultNow(),
    actor: text('actor').notNull(),
    clientAddress: text('client_address'),
    action: text('action').notNull(),
    /** HTTP status, or `cli`. */
    outcome: text('outcome').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
  },
  (t) => [index('audit_action').on(t.action, t.id)],
)
