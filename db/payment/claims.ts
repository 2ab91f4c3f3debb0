import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { AddressKey } from '../../core/address-key.ts'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { prepared } from '../prepared.ts'
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

const claim = prepared((db) => {
  const value = sql.placeholder
  return db
    .select({
      isNew: sql<boolean>`is_new`,
      isOver: sql<boolean>`is_over`,
      status: sql<PaymentStatus>`claim_status`,
      /** It is still to be verified. */
      isDue: sql<boolean>`is_due`,
    })
    .from(
      sql`claim_payment(${value('hash')}, ${value('wallet')}, ${value('quantity')}::bigint, ${value('amount')}::bigint,
        ${value('keys')}::text[], ${value('lasts')}::text[], ${value('limits')}::integer[])`,
    )
    .prepare('claim_payment')
})

/**
 * Records a reported hash, in one question to the database (rules.sql). `isNew` is false when it was known: then nothing changes, whatever the hints say,
 * except that a hash marked `not_found` is looked up again. Throws TOO_MANY_UNVERIFIED for the 21st
 * unresolved hash of one address, those of a /56 and a /48 counted too; a hash that is looked up again counts like a
 * new one.
 */
export async function claimPayment(
  db: Db,
  { transactionHash: hash, walletAddress, quantity, amount, keys = [] }: NewClaim,
): Promise<{ claim: { status: PaymentStatus; isDue: boolean }; isNew: boolean }> {
  const [told] = await claim(db).execute({
    ...{ hash, wallet: walletAddress ?? null, quantity: quantity ?? null, amount: amount ?? null },
    keys: keys.map(({ key }) => key),
    lasts: keys.map(({ last }) => last),
    limits: keys.map(({ times }) => unresolvedLimit * times),
  })
  const { isNew, isOver, ...known } = told as NonNullable<typeof told>
  if (isOver)
    throw new RaffleError(
      'TOO_MANY_UNVERIFIED',
      'Too many of your transactions are still being checked. Try again in a minute.',
    )
  return { claim: known, isNew }
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
