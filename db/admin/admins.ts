import { and, count, eq, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Language } from '../../core/admin/language.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { admins, passkeys, sessions } from '../schema/index.ts'
import { revokeSessions } from './sessions.ts'

export type Admin = typeof admins.$inferSelect

type NewAdmin = {
  username: string
  passwordHash: string
  /** The password is printed: it is good for a day and must be changed at the first login. */
  isOneTime?: boolean
  readOnly?: boolean
}

const oneTimeUntil = (isOneTime = false): SQL<Date> | null =>
  isOneTime ? sql<Date>`now() + interval '24 hours'` : null

const rowOf = ({ username, passwordHash, isOneTime, readOnly = false }: NewAdmin) => ({
  username,
  readOnly,
  passwordHash,
  oneTimeUntil: oneTimeUntil(isOneTime),
})

export async function hasAdmins(db: Db): Promise<boolean> {
  const [first] = await db.select({ id: admins.id }).from(admins).limit(1)
  return first !== undefined
}

/** False when an administrator exists already: nothing is added and no password changes. */
export async function createFirstAdmin(db: Db, admin: NewAdmin): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
    if (await hasAdmins(tx)) return false
    await tx.insert(admins).values(rowOf(admin))
    return true
  })
}

/** Undefined when the name is taken; names ignore case. */
export async function createAdmin(db: Db, admin: NewAdmin): Promise<Admin | undefined> {
  const [row] = await db.insert(admins).values(rowOf(admin)).onConflictDoNothing().returning()
  return row
}

export async function findAdmin(db: Db, username: string): Promise<Admin | undefined> {
  const [row] = await db.select().from(admins).where(hasName(username))
  return row
}

const hasName = (username: string): SQL => sql`lower(${admins.username}) = lower(${username})`

/** Locked until the transaction ends: codes of one administrator are checked one after the other. */
export async function lockAdmin(tx: Db, id: number): Promise<Admin | undefined> {
  // The table before the row: who locks the table waits for this row then, instead of both for each other.
  await tx.execute(sql`lock table ${admins} in row exclusive mode`)
  const [row] = await tx.select().from(admins).where(eq(admins.id, id)).for('update')
  return row
}

export async function getAdmin(db: Db, id: number): Promise<Admin | undefined> {
  const [row] = await db.select().from(admins).where(eq(admins.id, id))
  return row
}

/** False when another administrator has this name. */
export async function changeCredentials(
  tx: Db,
  id: number,
  { isOneTime, ...changed }: Partial<Omit<NewAdmin, 'readOnly'>>,
): Promise<boolean> {
  if (changed.username) {
    await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
    const isTaken = and(hasName(changed.username), ne(admins.id, id))
    const [other] = await tx.select({ id: admins.id }).from(admins).where(isTaken)
    if (other) return false
  }
  const kind = changed.passwordHash ? { oneTimeUntil: oneTimeUntil(isOneTime) } : {}
  await tx
    .update(admins)
    .set({ ...changed, ...kind })
    .where(eq(admins.id, id))
  return true
}

/** What the administrator area is written in for this one; null: never chosen. Returns what it was before. */
export async function changeLanguage(tx: Db, id: number, language: Language): Promise<Language | null> {
  const before = await lockAdmin(tx, id)
  await tx.update(admins).set({ language }).where(eq(admins.id, id))
  return before?.language ?? null
}

const pendingMinutes = 10

export async function setPendingOtp(db: Db, id: number, otpPendingSecret: Uint8Array): Promise<void> {
  await db
    .update(admins)
    .set({ otpPendingSecret, otpPendingSince: sql`clock_timestamp()` })
    .where(eq(admins.id, id))
}

/** The new secret that still waits for its first code; undefined when there is none, or it came too long ago. */
export async function getPendingOtp(db: Db, id: number): Promise<Uint8Array | undefined> {
  const isFresh = sql`${admins.otpPendingSince} > clock_timestamp() - ${`${pendingMinutes} minutes`}::interval`
  const [row] = await db
    .select({ secret: admins.otpPendingSecret })
    .from(admins)
    .where(and(eq(admins.id, id), isFresh))
  return row?.secret ?? undefined
}

/** Makes the new secret the second factor; its first code is spent, older recovery codes are void. */
export async function enrolOtp(
  tx: Db,
  id: number,
  { otpSecret, step, codeHashes }: { otpSecret: Uint8Array; step: number; codeHashes: readonly string[] },
): Promise<void> {
  await tx
    .update(admins)
    .set({
      otpSecret,
      otpPendingSecret: null,
      otpPendingSince: null,
      otpConfirmedAt: sql`now()`,
      otpLastStep: step,
      recoveryHashes: [...codeHashes],
    })
    .where(eq(admins.id, id))
}

export async function replaceRecoveryCodes(tx: Db, id: number, codeHashes: readonly string[]): Promise<void> {
  await tx
    .update(admins)
    .set({ recoveryHashes: [...codeHashes] })
    .where(eq(admins.id, id))
}

/** Break-glass: the next login needs only the password, neither code nor passkey. */
export async function removeOtp(tx: Db, id: number): Promise<void> {
  await tx
    .update(admins)
    .set({
      otpSecret: null,
      otpPendingSecret: null,
      otpPendingSince: null,
      otpConfirmedAt: null,
      otpLastStep: 0,
      recoveryHashes: [],
    })
    .where(eq(admins.id, id))
  await tx.delete(passkeys).where(eq(passkeys.adminId, id))
}

/** False when this time step or a later one was spent before: of two logins with the same code one succeeds. */
export async function spendOtpStep(db: Db, adminId: number, step: number): Promise<boolean> {
  const { count: spent } = await db
    .update(admins)
    .set({ otpLastStep: step })
    .where(and(eq(admins.id, adminId), lt(admins.otpLastStep, step)))
  return spent === 1
}

export async function spendRecoveryCode(db: Db, adminId: number, codeHash: string): Promise<boolean> {
  const { count: spent } = await db
    .update(admins)
    .set({ recoveryHashes: sql`array_remove(${admins.recoveryHashes}, ${codeHash})` })
    .where(and(eq(admins.id, adminId), sql`${codeHash} = any(${admins.recoveryHashes})`))
  return spent === 1
}

/** `renew` answers undefined for a secret that stays. Rows are locked, so none that is enrolled meanwhile is overwritten. */
export async function renewSecrets(
  db: Db,
  renew: (box: Uint8Array, admin: { id: number; username: string }) => Uint8Array | undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx.select().from(admins).orderBy(admins.id).for('update')
    for (const { id, username, ...row } of rows)
      for (const name of ['otpSecret', 'otpPendingSecret'] as const) {
        const made = row[name] && renew(row[name], { id, username })
        if (made)
          await tx
            .update(admins)
            .set({ [name]: made })
            .where(eq(admins.id, id))
      }
  })
}

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

/** Changes wait for each other, so of two who shut each other out at once one is refused. Throws NOT_FOUND. */
export async function lockAdministrators(tx: Db, id: number): Promise<Admin> {
  await tx.execute(sql`lock table ${admins} in share row exclusive mode`)
  const found = await lockAdmin(tx, id)
  if (!found) throw new RaffleError('NOT_FOUND', { reason: 'administrator' })
  return found
}

/** Under lockAdministrators. Sessions end. Throws WOULD_LOCK_OUT. */
export async function changeReadOnly(tx: Db, { id }: Admin, readOnly: boolean): Promise<void> {
  if (readOnly) await expectOtherFull(tx, id)
  await tx.update(admins).set({ readOnly }).where(eq(admins.id, id))
  await revokeSessions(tx, id)
}

/** Under lockAdministrators. The row stays, as the audit list names it; `passwordHash` is nobody's. Throws WOULD_LOCK_OUT. */
export async function disableAdmin(tx: Db, { id, readOnly }: Admin, passwordHash: string): Promise<void> {
  if (!readOnly) await expectOtherFull(tx, id)
  await tx
    .update(admins)
    .set({ disabledAt: sql`now()`, passwordHash, oneTimeUntil: null })
    .where(eq(admins.id, id))
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
  if (!others?.left) throw new RaffleError('WOULD_LOCK_OUT', { reason: 'owner' })
}
