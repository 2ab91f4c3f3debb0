import { and, count, eq, gt, lt, min, type SQL, sql } from 'drizzle-orm'
import type { AddressKey } from '../../core/address-key.ts'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
import { admins, loginFailures, recoveryCodes } from '../schema/index.ts'
import { hasName } from './admins.ts'

/** Longer than any limit looks back, and no longer: as many strangers as there are can each add some. */
const kept = sql`now() - interval '1 hour'`

const inLast = (seconds: number): SQL => gt(loginFailures.at, ago(seconds))
const ago = (seconds: number): SQL => sql.raw(`now() - interval '${seconds} seconds'`)
/** No more failures of an account are counted: anybody can add to them, and from here on the delay is the longest. */
const mostOfAccount = 10
/** Seconds until `at` is `seconds` ago; at least 1. */
const secondsLeft = (at: SQL, seconds: number) =>
  sql<number>`greatest(1, coalesce(ceil(extract(epoch from ${at} - (${ago(seconds)}))), 1))::int`

/** Failures in the last 10 minutes of each key, and the seconds until the oldest expires. */
const ofKeys = sql<KeyFailures[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'times', times, 'failures', failures, 'waitSeconds', ${secondsLeft(sql`oldest`, 600)})), '[]')
  from (
    select times, count(${loginFailures.id}) as failures, min(${loginFailures.at}) as oldest
    from unnest(
      ${sql.placeholder('keys')}::text[], ${sql.placeholder('lasts')}::text[], ${sql.placeholder('times')}::int[]
    ) as given (key, last, times)
    left join ${loginFailures} on ${loginFailures.clientAddress} ~>=~ key
      and ${loginFailures.clientAddress} ~<=~ last and ${inLast(600)}
    group by key, times
  ) as counted)`

type KeyFailures = { times: number; failures: number; waitSeconds: number }

const adminAndFailures = prepared((db) => {
  const failed = db
    .select({ ofKeys: ofKeys.as('of_keys') })
    .from(sql`(values (1)) as one`)
    .as('failed')
  return db
    .select({ ofKeys: failed.ofKeys, admin: admins })
    .from(failed)
    .leftJoin(admins, hasName(sql.placeholder('username')))
    .prepare('admin_and_failures')
})
const bothFailures = prepared((db) => {
  const ofAccount = db
    .select({ id: loginFailures.id })
    .from(loginFailures)
    .where(and(eq(loginFailures.account, sql.placeholder('account')), inLast(600)))
    .limit(mostOfAccount)
    .as('of_account')
  return db.select({ ofKeys, accountFailures: count() }).from(ofAccount).prepare('login_failures')
})
const columnsOf = (keys: readonly AddressKey[]) => ({
  keys: keys.map(({ key }) => key),
  lasts: keys.map(({ last }) => last),
  times: keys.map(({ times }) => times),
})

/** The administrator of this name, ignoring case, and the failures of each key in the last 10 minutes. */
export async function findAdminAndFailures(db: Db, username: string, keys: readonly AddressKey[]) {
  const [row] = await adminAndFailures(db).execute({ username, ...columnsOf(keys) })
  return { admin: row?.admin ?? undefined, ofKeys: row?.ofKeys ?? [] }
}

/** Failures in the last 10 minutes of each key, and of an account, known or not, up to 10; in one query. */
export async function countLoginFailures(db: Db, keys: readonly AddressKey[], account: string) {
  const [row] = await bothFailures(db).execute({ account, ...columnsOf(keys) })
  return row ?? { ofKeys: [], accountFailures: 0 }
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

/** Records a failure and deletes those that no limit looks at any more. */
export async function noteLoginFailure(db: Db, failure: typeof loginFailures.$inferInsert): Promise<void> {
  await db.delete(loginFailures).where(lt(loginFailures.at, kept))
  await db.insert(loginFailures).values(failure)
}

/** After a success the failures before it no longer slow logins down. */
export async function forgetLoginFailures(db: Db, key: string, account: string): Promise<void> {
  await db
    .delete(loginFailures)
    .where(and(eq(loginFailures.clientAddress, key), eq(loginFailures.account, account)))
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
