import { and, count, eq, gt, lt, min, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
import { admins, loginFailures, recoveryCodes } from '../schema/index.ts'
import { hasName } from './admins.ts'

const kept = sql`now() - interval '1 day'`

const inLast = (seconds: number): SQL => gt(loginFailures.at, ago(seconds))
const ago = (seconds: number): SQL => sql.raw(`now() - interval '${seconds} seconds'`)
/** Seconds until `at` is `seconds` ago; at least 1. */
const secondsLeft = (at: SQL, seconds: number) =>
  sql<number>`greatest(1, coalesce(ceil(extract(epoch from ${at} - (${ago(seconds)}))), 1))::int`

const isAddress = eq(loginFailures.clientAddress, sql.placeholder('address'))
const isAccount = eq(loginFailures.account, sql.placeholder('account'))

const adminAndFailures = prepared((db) => {
  const failed = db
    .select({
      failures: count().as('failures'),
      waitSeconds: secondsLeft(min(loginFailures.at), 600).as('wait'),
    })
    .from(loginFailures)
    .where(and(isAddress, inLast(600)))
    .as('failed')
  return db
    .select({ failures: failed.failures, waitSeconds: failed.waitSeconds, admin: admins })
    .from(failed)
    .leftJoin(admins, hasName(sql.placeholder('username')))
    .prepare('admin_and_failures')
})
const bothFailures = prepared((db) =>
  db
    .select({
      failures: sql<number>`(count(*) filter (where ${isAddress}))::int`,
      waitSeconds: secondsLeft(sql`min(${loginFailures.at}) filter (where ${isAddress})`, 600),
      accountFailures: sql<number>`(count(*) filter (where ${isAccount}))::int`,
    })
    .from(loginFailures)
    .where(and(or(isAddress, isAccount), inLast(600)))
    .prepare('login_failures'),
)

/**
 * The administrator of this name, ignoring case; failures of the address in the last 10 minutes, and the
 * seconds until the oldest expires.
 */
export async function findAdminAndFailures(db: Db, username: string, address: string) {
  const [row] = await adminAndFailures(db).execute({ username, address })
  const { admin, failures = 0, waitSeconds = 1 } = row ?? {}
  return { admin: admin ?? undefined, failures, waitSeconds }
}

/** Failures in the last 10 minutes of an address and of an account, known or not, in one query. */
export async function countLoginFailures(db: Db, address: string, account: string) {
  const [row] = await bothFailures(db).execute({ address, account })
  const { failures = 0, waitSeconds = 1, accountFailures = 0 } = row ?? {}
  return { failures, waitSeconds, accountFailures }
}

/** Wrong codes of an administrator in the last 15 minutes: after a right password, or of a new second factor. */
export async function countOtpFailures(db: Db, adminId: number, kind: 'otp' | 'enrol' = 'otp') {
  const isOtp = and(eq(loginFailures.adminId, adminId), eq(loginFailures.kind, kind))
  const [row] = await db
    .select({ failures: count(), waitSeconds: secondsLeft(min(loginFailures.at), 900) })
    .from(loginFailures)
    .where(and(isOtp, inLast(900)))
  return row ?? { failures: 0, waitSeconds: 1 }
}

/** Records a failure and deletes those older than a day. */
export async function noteLoginFailure(db: Db, failure: typeof loginFailures.$inferInsert): Promise<void> {
  await db.delete(loginFailures).where(lt(loginFailures.at, kept))
  await db.insert(loginFailures).values(failure)
}

/** After a success the failures before it no longer slow logins down. */
export async function forgetLoginFailures(db: Db, address: string, account: string): Promise<void> {
  await db
    .delete(loginFailures)
    .where(and(eq(loginFailures.clientAddress, address), eq(loginFailures.account, account)))
}

/**
 * Spends a time step of the second factor. False when this or a later one was spent before: of two logins
 * with the same code one succeeds.
 */
export async function spendOtpStep(db: Db, adminId: number, step: number): Promise<boolean> {
  const spent = await db
    .update(admins)
    .set({ otpLastStep: step })
    .where(and(eq(admins.id, adminId), lt(admins.otpLastStep, step)))
    .returning({ id: admins.id })
  return spent.length === 1
}

/** Spends a recovery code; false when it is unknown or was used. */
export async function spendRecoveryCode(db: Db, adminId: number, codeHash: string): Promise<boolean> {
  const spent = await db
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.adminId, adminId),
        eq(recoveryCodes.codeHash, codeHash),
        sql`${recoveryCodes.usedAt} is null`,
      ),
    )
    .returning({ adminId: recoveryCodes.adminId })
  return spent.length === 1
}
