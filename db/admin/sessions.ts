import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
import { admins, sessions, settings } from '../schema/index.ts'

/** A session as a call sees it. */
export type LiveSession = {
  tokenHash: string
  admin: { id: number; username: string }
  /** A password or code was given in the last 10 minutes. */
  isFresh: boolean
  /** The second factor is asked for and this administrator has none yet. */
  mustEnrol: boolean
}

const isLive = and(
  isNull(sessions.revokedAt),
  sql`${sessions.createdAt} > now() - interval '12 hours'`,
  sql`${sessions.lastSeenAt} > now() - interval '30 minutes'`,
)
/** Writing every call down would be a write a call: the idle time is exact to this. */
const isStaleNote = sql`${sessions.lastSeenAt} < now() - interval '15 seconds'`

const sessionOfToken = prepared((db) =>
  db
    .select({
      allowedIps: settings.allowedIps,
      tokenHash: sessions.tokenHash,
      id: admins.id,
      username: admins.username,
      isFresh: sql<boolean>`${sessions.freshAt} > now() - interval '10 minutes'`,
      mustEnrol: sql<boolean>`${settings.requireOtp} and ${admins.otpConfirmedAt} is null`,
    })
    .from(settings)
    .leftJoin(sessions, and(eq(sessions.tokenHash, sql.placeholder('tokenHash')), isLive))
    .leftJoin(admins, eq(admins.id, sessions.adminId))
    .prepare('session_of_token'),
)

/** The address list, and the live session of a token if it has one. */
export async function findSession(
  db: Db,
  tokenHash: string | undefined,
): Promise<{ allowedIps: string[]; session: LiveSession | undefined }> {
  const [row] = await sessionOfToken(db).execute({ tokenHash: tokenHash ?? '' })
  const { allowedIps = [], tokenHash: found, id, username, isFresh, mustEnrol } = row ?? {}
  if (!found || !id || !username) return { allowedIps, session: undefined }
  return {
    allowedIps,
    session: {
      tokenHash: found,
      admin: { id, username },
      isFresh: isFresh === true,
      mustEnrol: mustEnrol === true,
    },
  }
}

/** Notes that the session was used: it ends 30 minutes after the last use. */
export async function touchSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, tokenHash), isLive, isStaleNote))
}

const sessionToOpen = prepared((db) => {
  // Waits for a change that is under way, and makes a later one wait: it then ends this session too.
  const admin = db.$with('admin').as(
    db
      .select({ id: admins.id })
      .from(admins)
      .where(
        and(
          eq(admins.id, sql.placeholder('adminId')),
          eq(admins.passwordHash, sql.placeholder('passwordHash')),
        ),
      )
      .for('share'),
  )
  const isOld = sql`${sessions.createdAt} < now() - interval '30 days'`
  const forgotten = db
    .$with('forgotten')
    .as(db.delete(sessions).where(isOld).returning({ adminId: sessions.adminId }))
  return db
    .with(admin, forgotten)
    .insert(sessions)
    .select(
      // In the order of the table's columns.
      sql`select ${sql.placeholder('tokenHash')}, id, ${sql.placeholder('clientAddress')}, now(), now(), now(), null from ${admin}`,
    )
    .returning({ adminId: sessions.adminId })
    .prepare('open_session')
})

/**
 * False when the credentials that were checked are no longer those of the administrator: a login that was
 * under way while they changed must not outlive them.
 */
export async function openSession(
  db: Db,
  {
    tokenHash,
    adminId,
    clientAddress,
    passwordHash,
  }: { tokenHash: string; adminId: number; clientAddress: string; passwordHash: string },
): Promise<boolean> {
  const opened = await sessionToOpen(db).execute({ tokenHash, adminId, clientAddress, passwordHash })
  return opened.length === 1
}

/** The password or a code was given again. */
export async function refreshSession(db: Db, tokenHash: string): Promise<void> {
  await db.update(sessions).set({ freshAt: sql`now()` }).where(eq(sessions.tokenHash, tokenHash))
}

/** Ends one session; twice is safe. */
export async function revokeSession(db: Db, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.revokedAt)))
}

/** Ends every session of an administrator, but for `except` if given. Returns how many ended. */
export async function revokeSessions(db: Db, adminId: number, except?: string): Promise<number> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(sessions.adminId, adminId),
        isLive,
        except === undefined ? undefined : ne(sessions.tokenHash, except),
      ),
    )
    .returning({ tokenHash: sessions.tokenHash })
  return ended.length
}

/** What a session is called by outside: nothing that opens or finds its token. */
const sessionId = sql<string>`left(encode(sha256(${sessions.tokenHash}::bytea), 'hex'), 16)`

/** Ends one live session of anybody, by its id in the list. Undefined when there is none. */
export async function revokeListed(db: Db, id: string) {
  const [ended] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .from(admins)
    .where(and(eq(sessionId, id), isLive, eq(admins.id, sessions.adminId)))
    .returning({ username: admins.username, clientAddress: sessions.clientAddress })
  return ended
}

/** Live sessions of everybody, newest first; the token hash stays here. */
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
