import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../../core/payment.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/index.ts'

export type Claim = typeof claims.$inferSelect
export type NewClaim = Pick<
  typeof claims.$inferInsert,
  'transactionHash' | 'walletAddress' | 'quantity' | 'amount' | 'clientAddress'
>

const unresolvedLimit = 20

/**
 * Records a reported hash. `isNew` is false when it was known: then nothing changes, whatever the hints say,
 * except that a hash marked `not_found` is looked up again. Throws TOO_MANY_UNVERIFIED for the 21st
 * unresolved hash of one address.
 */
export async function claimPayment(db: Db, claim: NewClaim): Promise<{ claim: Claim; isNew: boolean }> {
  return db.transaction(async (tx) => {
    if (claim.clientAddress)
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`claims ${claim.clientAddress}`}))`)
    const [inserted] = await tx.insert(claims).values(claim).onConflictDoNothing().returning()
    if (!inserted) return { claim: await knownClaim(tx, claim), isNew: false }
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

/** Looks up a `not_found` hash again; it counts for the address that posted it again. */
async function knownClaim(tx: Db, { transactionHash, clientAddress }: NewClaim): Promise<Claim> {
  const [reopened] = await tx
    .update(claims)
    .set({ status: 'received', attempts: 0, nextAttemptAt: sql`now()`, clientAddress })
    .where(and(eq(claims.transactionHash, transactionHash), eq(claims.status, 'not_found')))
    .returning()
  return reopened ?? ((await getClaim(tx, transactionHash)) as Claim)
}

export async function getClaim(db: Db, hash: Hash): Promise<Claim | undefined> {
  const [claim] = await db.select().from(claims).where(eq(claims.transactionHash, hash))
  return claim
}

/** Resolves claims by the payments of their transactions; those without a payment stay open. */
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

async function countUnresolved(tx: Db, clientAddress: string): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(claims)
    .where(eq(claims.clientAddress, clientAddress))
  return row?.count ?? 0
}
