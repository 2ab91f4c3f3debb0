import { and, asc, eq, getTableColumns, isNotNull, lte, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../../core/payment.ts'
import type { Db } from '../index.ts'
import { claims, payments, type SeenPayment } from '../schema.ts'

export type Claim = typeof claims.$inferSelect
export type NewClaim = Pick<
  typeof claims.$inferInsert,
  'transactionHash' | 'walletAddress' | 'quantity' | 'amount' | 'clientAddress'
>

const unresolvedLimit = 20

/**
 * Records that somebody reported a hash. `isNew` is false when it was known: nothing changes then, whatever
 * the hints say. Throws TOO_MANY_UNVERIFIED for the 21st unresolved hash of one address.
 */
export async function claimPayment(db: Db, claim: NewClaim): Promise<{ claim: Claim; isNew: boolean }> {
  return db.transaction(async (tx) => {
    if (claim.clientAddress)
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`claims ${claim.clientAddress}`}))`)
    const [inserted] = await tx.insert(claims).values(claim).onConflictDoNothing().returning()
    if (!inserted) return { claim: (await getClaim(tx, claim.transactionHash)) as Claim, isNew: false }
    const [resolved] = await resolveClaims(tx, [claim.transactionHash])
    if (
      !resolved &&
      claim.clientAddress &&
      (await countUnresolved(tx, claim.clientAddress)) > unresolvedLimit
    )
      throw new RaffleError(
        'TOO_MANY_UNVERIFIED',
        'Too many of your transactions are still being checked. Try again in a minute.',
      )
    return { claim: resolved ?? inserted, isNew: true }
  })
}

export async function getClaim(db: Db, hash: Hash): Promise<Claim | undefined> {
  const [claim] = await db.select().from(claims).where(eq(claims.transactionHash, hash))
  return claim
}

/** What verification saw; a resolved claim is left alone. `retryInMs` null: nothing more to find out. */
export async function noteClaim(
  db: Db,
  hash: Hash,
  seen: {
    status: PaymentStatus
    reason: PaymentReason | null
    seen: SeenPayment[]
    retryInMs: number | null
  },
): Promise<void> {
  await db
    .update(claims)
    .set({
      status: seen.status,
      reason: seen.reason,
      seen: seen.seen,
      attempts: sql`${claims.attempts} + 1`,
      nextAttemptAt:
        seen.retryInMs === null ? null : sql`now() + ${`${seen.retryInMs} milliseconds`}::interval`,
      ...(seen.retryInMs === null && { clientAddress: null }),
    })
    .where(and(eq(claims.transactionHash, hash), isNotNull(claims.nextAttemptAt)))
}

/** Gives claims the end that the payments of their transactions have; those without a payment stay open. */
export async function resolveClaims(tx: Db, hashes: readonly Hash[]): Promise<Claim[]> {
  if (hashes.length === 0) return []
  const found = tx
    .select({
      hash: payments.transactionHash,
      // 'credited' sorts before 'rejected': one credited payer makes the transaction credited.
      status: sql<PaymentStatus>`min(${payments.status})`.as('final_status'),
      reason:
        sql<PaymentReason | null>`case when min(${payments.status}) = 'rejected' then min(${payments.reason}) end`.as(
          'final_reason',
        ),
    })
    .from(payments)
    .where(sql`${payments.transactionHash} = any(${sql.param([...hashes])}::text[])`)
    .groupBy(payments.transactionHash)
    .as('found')
  return tx
    .update(claims)
    .set({
      status: sql`${found.status}`,
      reason: sql`${found.reason}`,
      nextAttemptAt: null,
      clientAddress: null,
    })
    .from(found)
    .where(eq(claims.transactionHash, found.hash))
    .returning(getTableColumns(claims))
}

/** Hashes whose time has come, oldest first. */
export async function dueClaims(db: Db, limit: number): Promise<Hash[]> {
  const rows = await db
    .select({ hash: claims.transactionHash })
    .from(claims)
    .where(lte(claims.nextAttemptAt, sql`now()`))
    .orderBy(asc(claims.nextAttemptAt))
    .limit(limit)
  return rows.map((row) => row.hash)
}

async function countUnresolved(tx: Db, clientAddress: string): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(claims)
    .where(eq(claims.clientAddress, clientAddress))
  return row?.count ?? 0
}
