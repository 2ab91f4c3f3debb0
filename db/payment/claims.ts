import { and, count, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { AddressKey } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../../core/payment.ts'
import type { Db } from '../index.ts'
import { claims, payments } from '../schema/index.ts'

export type Claim = typeof claims.$inferSelect
export type NewClaim = Pick<
  typeof claims.$inferInsert,
  'transactionHash' | 'walletAddress' | 'quantity' | 'amount'
> & {
  /** Of the poster; without it nothing is counted. */
  keys?: readonly AddressKey[]
}

const unresolvedLimit = 20

/**
 * Records a reported hash. `isNew` is false when it was known: then nothing changes, whatever the hints say,
 * except that a hash marked `not_found` is looked up again. Throws TOO_MANY_UNVERIFIED for the 21st
 * unresolved hash of one address, those of a /56 and a /48 counted too; a hash that is looked up again counts like a
 * new one.
 */
export async function claimPayment(db: Db, claim: NewClaim): Promise<{ claim: Claim; isNew: boolean }> {
  const { keys = [], ...hint } = claim
  const clientAddress = keys[0]?.key ?? null
  return db.transaction(async (tx) => {
    const widest = keys.at(-1)?.key
    if (widest) await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`claims ${widest}`}))`)
    const [inserted] = await tx
      .insert(claims)
      .values({ ...hint, clientAddress })
      .onConflictDoNothing()
      .returning()
    if (!inserted) return { claim: await knownClaim(tx, claim), isNew: false }
    const [resolved] = await resolveClaims(tx, [claim.transactionHash])
    if (!resolved) await expectFewUnresolved(tx, keys)
    return { claim: resolved ?? inserted, isNew: true }
  })
}

/** Looks up a `not_found` hash again; it counts for the address that posted it again. */
async function knownClaim(tx: Db, { transactionHash, keys = [] }: NewClaim): Promise<Claim> {
  const clientAddress = keys[0]?.key ?? null
  const [reopened] = await tx
    .update(claims)
    .set({ status: 'received', attempts: 0, nextAttemptAt: sql`now()`, clientAddress })
    .where(and(eq(claims.transactionHash, transactionHash), eq(claims.status, 'not_found')))
    .returning()
  if (reopened) await expectFewUnresolved(tx, keys)
  return reopened ?? ((await getClaim(tx, transactionHash)) as Claim)
}

/** Deletes claims that no endpoint has ever known and that were given up, a month after they were posted. */
export async function purgeClaims(db: Db): Promise<number> {
  const purged = await db
    .delete(claims)
    .where(and(eq(claims.status, 'not_found'), lt(claims.createdAt, sql`now() - interval '30 days'`)))
    .returning({ hash: claims.transactionHash })
  return purged.length
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

async function expectFewUnresolved(tx: Db, keys: readonly AddressKey[]): Promise<void> {
  for (const { key, last, times } of keys) {
    const [row] = await tx
      .select({ unresolved: count() })
      .from(claims)
      .where(sql`${claims.clientAddress} ~>=~ ${key} and ${claims.clientAddress} ~<=~ ${last}`)
    if ((row?.unresolved ?? 0) > unresolvedLimit * times)
      throw new RaffleError(
        'TOO_MANY_UNVERIFIED',
        'Too many of your transactions are still being checked. Try again in a minute.',
      )
  }
}
