import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { admins, passkeys, sessions } from '../schema/index.ts'
import { type Admin, changeCredentials, lockAdmin, removeOtp } from './admins.ts'
import { revokeSessions } from './sessions.ts'

/** Every administrator, removed ones last, with the last login of the last 30 days. */
export async function listAdministrators(db: Db, own: number) {
  const logins = db
    .select({ adminId: sessions.adminId, at: sql<string>`max(${sessions.createdAt})`.as('at') })
    .from(sessions)
    .groupBy(sessions.adminId)
    .as('logins')
  const rows = await db
    .select({
      id: admins.id,
      username: admins.username,
      readOnly: admins.readOnly,
      createdAt: admins.createdAt,
      disabledAt: admins.disabledAt,
      isOneTime: sql<boolean>`${admins.oneTimeUntil} is not null`,
      otpConfirmed: sql<boolean>`${admins.otpConfirmedAt} is not null`,
      passkeys: sql<number>`(select count(*)::int from ${passkeys} where ${passkeys.adminId} = ${admins.id})`,
      lastLoginAt: logins.at,
    })
    .from(admins)
    .leftJoin(logins, eq(logins.adminId, admins.id))
    .orderBy(sql`${admins.disabledAt} nulls first`, admins.id)
  return rows.map(({ createdAt, disabledAt, lastLoginAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
    lastLoginAt: lastLoginAt === null ? null : new Date(lastLoginAt).toISOString(),
    isOwn: row.id === own,
  }))
}

/**
 * Of two administrators who shut each other out at the same time one is refused: every change waits for the one before
 * it. Throws NOT_FOUND.
 */
export async function lockAdministrators(tx: Db, id: number): Promise<Admin> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
  const found = await lockAdmin(tx, id)
  if (!found) throw new RaffleError('NOT_FOUND', '해당 관리자가 없습니다.')
  return found
}

/** Under lockAdministrators. Sessions end. Throws WOULD_LOCK_OUT. */
export async function changeReadOnly(tx: Db, { id }: Admin, readOnly: boolean): Promise<void> {
  if (readOnly) await expectOtherFull(tx, id)
  await tx.update(admins).set({ readOnly }).where(eq(admins.id, id))
  await revokeSessions(tx, id)
}

/**
 * Under lockAdministrators. The row stays, as the audit list names it; `passwordHash` is nobody's. Throws
 * WOULD_LOCK_OUT.
 */
export async function disableAdmin(tx: Db, { id, readOnly }: Admin, passwordHash: string): Promise<void> {
  if (!readOnly) await expectOtherFull(tx, id)
  await tx.update(admins).set({ disabledAt: sql`now()`, passwordHash }).where(eq(admins.id, id))
  await removeOtp(tx, id)
  await revokeSessions(tx, id)
}

/** Under lockAdministrators. A password that is handed out; sessions end, and a removed one comes back. Throws WOULD_LOCK_OUT. */
export async function handOutPassword(tx: Db, { id, readOnly }: Admin, passwordHash: string): Promise<void> {
  if (!readOnly) await expectOtherFull(tx, id)
  await tx.update(admins).set({ disabledAt: null }).where(eq(admins.id, id))
  await changeCredentials(tx, id, { passwordHash, isOneTime: true })
  await revokeSessions(tx, id)
}

async function expectOtherFull(tx: Db, id: number): Promise<void> {
  // Whoever has not chosen a password yet may never come, and his printed one is void after a day.
  const isThere = and(isNull(admins.disabledAt), isNull(admins.oneTimeUntil))
  const isOtherFull = and(ne(admins.id, id), eq(admins.readOnly, false), isThere)
  const [others] = await tx.select({ left: count() }).from(admins).where(isOtherFull)
  if (!others?.left)
    throw new RaffleError(
      'WOULD_LOCK_OUT',
      '마지막 전체 권한 관리자입니다. 비밀번호를 직접 정한 다른 전체 권한 관리자가 먼저 있어야 합니다.',
    )
}
