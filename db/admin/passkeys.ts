import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { passkeyChallenges, passkeys } from '../schema/index.ts'

export type Passkey = typeof passkeys.$inferSelect
type Challenge = typeof passkeyChallenges.$inferInsert

const challengeLives = sql`interval '2 minutes'`

export const listPasskeys = (db: Db, adminId: number): Promise<Passkey[]> =>
  db.select().from(passkeys).where(eq(passkeys.adminId, adminId)).orderBy(passkeys.id)

export async function hasPasskey(db: Db, adminId: number): Promise<boolean> {
  const [found] = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.adminId, adminId))
    .limit(1)
  return found !== undefined
}

export async function addPasskey(tx: Db, key: typeof passkeys.$inferInsert): Promise<Passkey | undefined> {
  const [row] = await tx.insert(passkeys).values(key).onConflictDoNothing().returning()
  return row
}

export async function removePasskey(tx: Db, adminId: number, id: number): Promise<Passkey | undefined> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.adminId, adminId)))
    .returning()
  return row
}

/** False when the counter did not grow: the key was copied, or an answer is repeated. Keys that do not count stay at 0. */
export async function notePasskeyUse(tx: Db, id: number, counter: number): Promise<boolean> {
  const grows = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const { count: used } = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), grows))
  return used === 1
}

export async function addChallenge(db: Db, challenge: Challenge): Promise<void> {
  const isOld = sql`${passkeyChallenges.createdAt} < clock_timestamp() - ${challengeLives}`
  // One of each purpose and caller: who asks again answers the newest.
  await db.delete(passkeyChallenges).where(or(isOld, isFor(challenge)))
  await db.insert(passkeyChallenges).values(challenge)
}

const isFor = ({ adminId, purpose, boundTo }: Challenge) =>
  and(
    eq(passkeyChallenges.adminId, adminId),
    eq(passkeyChallenges.purpose, purpose),
    eq(passkeyChallenges.boundTo, boundTo),
  )

/** Takes it away, whether the answer is right or not. False when there is none for this purpose and caller. */
export async function takeChallenge(tx: Db, challenge: Challenge): Promise<boolean> {
  const { count: taken } = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, challenge.hash),
        isFor(challenge),
        eq(passkeyChallenges.origin, challenge.origin),
        sql`${passkeyChallenges.createdAt} > clock_timestamp() - ${challengeLives}`,
      ),
    )
  return taken === 1
}
