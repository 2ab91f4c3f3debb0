import { and, count, eq, isNull, ne, sql } from 'drizzle-orm'
import type { AdminRole } from '../../core/admin/roles.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { admins, passkeys, sessions } from '../schema/index.ts'
import { type Admin, lockAdmin, removeOtp } from './admins.ts'
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
      role: admins.role,
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
 * Of two owners who take each other's role away at the same time one is refused: every change of roles waits for the
 * one before it. Throws NOT_FOUND.
 */
export async function lockAdministrators(tx: Db, id: number): Promise<Admin> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
  const found = await lockAdmin(tx, id)
  if (!found) throw new RaffleError('NOT_FOUND', '해당 관리자가 없습니다.')
  return found
}

/** Under lockAdministrators. Sessions end: the next login begins with the new role. Throws LAST_OWNER. */
export async function changeRole(tx: Db, { id, role: before }: Admin, role: AdminRole): Promise<void> {
  if (before === 'owner' && role !== 'owner') await expectOtherOwner(tx, id)
  await tx.update(admins).set({ role }).where(eq(admins.id, id))
  await revokeSessions(tx, id)
}

/**
 * Under lockAdministrators. The row stays, as the audit list names it; `passwordHash` is nobody's, so that a release
 * that does not know of removed administrators lets nobody in either. Throws LAST_OWNER.
 */
export async function disableAdmin(tx: Db, { id, role }: Admin, passwordHash: string): Promise<void> {
  if (role === 'owner') await expectOtherOwner(tx, id)
  await tx.update(admins).set({ disabledAt: sql`now()`, passwordHash }).where(eq(admins.id, id))
  await removeOtp(tx, id)
  await revokeSessions(tx, id)
}

/** A removed administrator comes back; his password is set beside this. */
export async function enableAdmin(tx: Db, id: number): Promise<void> {
  await tx.update(admins).set({ disabledAt: null }).where(eq(admins.id, id))
}

async function expectOtherOwner(tx: Db, id: number): Promise<void> {
  // Whoever has not chosen a password yet may never come, and his printed one is void after a day.
  const isThere = and(isNull(admins.disabledAt), isNull(admins.oneTimeUntil))
  const isOtherOwner = and(ne(admins.id, id), eq(admins.role, 'owner'), isThere)
  const [others] = await tx.select({ left: count() }).from(admins).where(isOtherOwner)
  if (!others?.left)
    throw new RaffleError(
      'LAST_OWNER',
      '마지막 소유자입니다. 비밀번호를 직접 정한 다른 소유자가 먼저 있어야 합니다.',
    )
}
