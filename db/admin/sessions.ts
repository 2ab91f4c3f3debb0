import { and, desc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { type Db, prepared } from '../index.ts'
import { admins, passkeys, sessions, settings } from '../schema/index.ts'
import { hasPasskey } from './passkeys.ts'
import { getSettings } from './settings.ts'

export type LiveSession = {
  tokenHash: string
  admin: { id: number; username: string; readOnly: boolean }
  /** A password or code was entered in the last 10 minutes. */
  isFresh: boolean
  hasSecondFactor: boolean
  isOtpRequired: boolean
  /** The password was printed: only a new one may be set. */
  mustChangePassword: boolean
}

const isLive = and(
  isNull(sessions.revokedAt),
  sql`${sessions.createdAt} > now() - interval '12 hours'`,
  sql`${sessions.lastSeenAt} > now() - interval '30 minutes'`,
)
/** The idle time is exact to this, as an update for every request would be one write each. */
const isStaleNote = sql`${sessions.lastSeenAt} < now() - interval '15 seconds'`

const sessionOfToken = prepared((db) =>
  db
    .select({
      allowedIps: settings.allowedIps,
      tokenHash: sessions.tokenHash,
      id: admins.id,
      username: admins.username,
      readOnly: admins.readOnly,
      isFresh: sql<boolean>`${sessions.freshAt} > now() - interval '10 minutes'`,
      isOtpRequired: settings.requireOtp,
      hasSecondFactor: sql<boolean>`${admins.otpConfirmedAt} is not null
        or exists (select from ${passkeys} where ${passkeys.adminId} = ${admins.id})`,
      mustChangePassword: sql<boolean>`${admins.oneTimeUntil} is not null`,
    })
    .from(settings)
    .leftJoin(
      sessions,
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        or(isNull(sessions.browserHash), eq(sessions.browserHash, sql.placeholder('browserHash'))),
        isLive,
      ),
    )
    .leftJoin(admins, and(eq(admins.id, sessions.adminId), isNull(admins.disabledAt)))
    .prepare('session_of_token'),
)

/** The address list, and the live session of a token if it has one and comes with the cookie that it is bound to. */
export async function findSession(
  db: Db,
  {
    tokenHash = '',
    browserHash = '',
  }: { tokenHash?: string | undefined; browserHash?: string | null | undefined },
): Promise<{ allowedIps: string[]; session: LiveSession | undefined }> {
  const [row] = await sessionOfToken(db).execute({ tokenHash, browserHash })
  const { allowedIps, tokenHash: found, id, username, readOnly, ...known } = row as NonNullable<typeof row>
  if (!found || !id || !username || readOnly === null) return { allowedIps, session: undefined }
  return { allowedIps, session: { tokenHash: found, admin: { id, username, readOnly }, ...known } }
}

/** Far more than administrators have: only a bound. */
const mostKnown = 10_000

const known = prepared((db) =>
  db
    .select({
      tokens: sql<Record<string, { browser: string | null; of: [number] }>>`(
        select coalesce(jsonb_object_agg(token_hash, jsonb_build_object('browser', browser_hash, 'of', array[admin_id])), '{}') from (
          select token_hash, browser_hash, admin_id from ${sessions} where ${isLive}
          order by created_at desc limit ${sql.raw(`${mostKnown}`)}) live)`,
      browsers: sql<Record<string, number[]>>`(
        select coalesce(jsonb_object_agg(browser_hash, ids), '{}') from (
          select browser_hash, array_agg(distinct admin_id) as ids from (
            select browser_hash, admin_id from ${sessions}
            where browser_hash is not null and created_at > now() - interval '30 days'
            order by created_at desc limit ${sql.raw(`${mostKnown}`)}) logins group by 1) browsers)`,
    })
    .from(settings)
    .prepare('known_callers'),
)

/** Live sessions, each with the cookie that it is bound to, and browsers of the last 30 days' logins, with whose they are; in one query. */
export async function findKnown(db: Db) {
  const [row] = await known(db).execute()
  return row as NonNullable<typeof row>
}

export async function touchSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, tokenHash), isLive, isStaleNote))
}

type NewSession = Pick<
  typeof sessions.$inferInsert,
  'tokenHash' | 'adminId' | 'clientAddress' | 'browserHash'
> & {
  /** The one that the password was compared with. */
  passwordHash: string
  isProven?: boolean
}

/** False when the credentials changed after they were checked; a later change waits for this and ends this session too. */
export async function openSession(db: Db, { passwordHash, isProven = false, ...session }: NewSession) {
  return db.transaction(async (tx) => {
    const [admin] = await tx.select().from(admins).where(eq(admins.id, session.adminId)).for('share')
    if (!admin || admin.disabledAt || admin.passwordHash !== passwordHash) return false
    if (!isProven && (await asksSecondFactor(tx, admin))) return false
    await tx.delete(sessions).where(sql`${sessions.createdAt} < now() - interval '30 days'`)
    await tx.insert(sessions).values(session)
    return true
  })
}

export const asksSecondFactor = async (
  db: Db,
  { id, otpConfirmedAt }: Pick<typeof admins.$inferSelect, 'id' | 'otpConfirmedAt'>,
): Promise<boolean> =>
  (otpConfirmedAt !== null || (await hasPasskey(db, id))) && (await getSettings(db)).requireOtp

/** The session goes on under another token, neither fresher nor longer than it was. */
export async function renewToken(db: Db, tokenHash: string, renewed: string): Promise<void> {
  await db.update(sessions).set({ tokenHash: renewed }).where(eq(sessions.tokenHash, tokenHash))
}

export async function refreshSession(db: Db, tokenHash: string): Promise<void> {
  await db.update(sessions).set({ freshAt: sql`now()` }).where(eq(sessions.tokenHash, tokenHash))
}

export async function revokeSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.revokedAt)))
}

export async function revokeSessions(db: Db, adminId: number, except?: string): Promise<number> {
  const { count } = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(sessions.adminId, adminId),
        isLive,
        except === undefined ? undefined : ne(sessions.tokenHash, except),
      ),
    )
  return count
}

/** The public id of a session; its token cannot be derived from it. */
const sessionId = sql<string>`left(encode(sha256(${sessions.tokenHash}::bytea), 'hex'), 16)`

/** Whose live session it is, by its id in the list. */
export async function adminOfListed(db: Db, id: string): Promise<number | undefined> {
  const [found] = await db
    .select({ adminId: sessions.adminId })
    .from(sessions)
    .where(and(eq(sessionId, id), isLive))
  return found?.adminId
}

export async function revokeListed(db: Db, id: string) {
  const [ended] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .from(admins)
    .where(and(eq(sessionId, id), isLive, eq(admins.id, sessions.adminId)))
    .returning({ username: admins.username, clientAddress: sessions.clientAddress })
  return ended
}

export async function listSessions(db: Db, own: string) {
  const rows = await db
    .select({
      id: sessionId,
      tokenHash: sessions.tokenHash,
      username: admins.username,
      clientAddress: sessions.clientAddress,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(admins, eq(admins.id, sessions.adminId))
    .where(isLive)
    .orderBy(desc(sessions.createdAt))
  return rows.map(({ tokenHash, ...row }) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    isCurrent: tokenHash === own,
  }))
}
