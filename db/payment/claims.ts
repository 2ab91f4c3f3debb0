import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { AddressKey } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import type { PaymentReason, PaymentStatus } from '../../core/payment/payment.ts'
import { type Db, prepared } from '../index.ts'
import { claims, payments, type SeenPayment } from '../schema/payments.ts'

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
      isDue: sql<boolean>`is_due`,
    })
    .from(
      sql`claim_payment(${value('hash')}, ${value('wallet')}, ${value('quantity')}::bigint, ${value('amount')}::bigint,
        ${value('keys')}::text[], ${value('lasts')}::text[], ${value('limits')}::integer[])`,
    )
    .prepare('claim_payment')
})

/**
 * `isNew` is false when it was known: nothing changes then, but a `not_found` hash is looked up again. Throws
 * TOO_MANY_UNVERIFIED for the 21st unresolved hash of an address, with totals for a /56 and a /48.
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
  if (isOver) throw new RaffleError('TOO_MANY_UNVERIFIED')
  return { claim: known, isNew }
}

/** Deletes claims that no endpoint has ever known and that were given up, a month after they were posted. */
export async function purgeClaims(db: Db): Promise<number> {
  const { count } = await db
    .delete(claims)
    .where(and(eq(claims.status, 'not_found'), lt(claims.createdAt, sql`now() - interval '30 days'`)))
  return count
}

export async function getClaim(db: Db, hash: Hash): Promise<Claim | undefined> {
  const [claim] = await db.select().from(claims).where(eq(claims.transactionHash, hash))
  return claim
}

/** Resolves claims by the payments of their transactions; those without a payment stay open. */
export async function resolveClaims(tx: Db, hashes: readonly Hash[]): Promise<void> {
  if (hashes.length === 0) return
  await tx.execute(sql`
    update claims set next_attempt_at = null, client_address = null, (status, reason) =
      (select paid.status, paid.reason from paid_transactions paid where paid.transaction_hash = claims.transaction_hash)
    where transaction_hash = any(${sql.param([...hashes])}::text[])
      and exists (select from payments where payments.transaction_hash = claims.transaction_hash)`)
}

export type ClaimNote = Pick<Claim, 'transactionHash' | 'status' | 'reason' | 'attempts'> & {
  seen: readonly SeenPayment[]
  /** Null: no further check needed. */
  retryInMs: number | null
}

/** Claims taken by a job that dies become due again after this time. */
const leaseMs = 3_000

/** Mostly those with the fewest attempts, newest first: no buyer waits behind invented hashes. Some of the longest due, too. */
export async function dueClaims(db: Db, limit: number): Promise<Hash[]> {
  const rows = await db.execute<{ hash: Hash }>(sql`
    select transaction_hash as hash from (
      (select transaction_hash from ${claims} where next_attempt_at <= now()
        order by attempts, created_at desc limit ${Math.ceil(limit * 0.75)})
      union
      (select transaction_hash from ${claims} where next_attempt_at <= now()
        order by next_attempt_at limit ${Math.floor(limit * 0.25)})) as due`)
  return rows.map((row) => row.hash)
}

/** Leases the due ones for a moment, so that a second job for the same hashes finds nothing to do. */
export async function takeClaims(db: Db, hashes: readonly Hash[]): Promise<Claim[]> {
  return db
    .update(claims)
    .set({ nextAttemptAt: sql`now() + ${`${leaseMs} milliseconds`}::interval` })
    .where(sql`${claims.transactionHash} in (
      select transaction_hash from ${claims}
      where transaction_hash = any(${sql.param([...hashes])}::text[]) and next_attempt_at <= now()
      for update skip locked)`)
    .returning()
}

/** What was resolved meanwhile is left alone; a locked row is being resolved, so it is skipped: no deadlock. */
export async function noteClaims(db: Db, notes: readonly ClaimNote[]): Promise<void> {
  if (notes.length === 0) return
  const column = <T>(pick: (note: ClaimNote) => T) => sql.param(notes.map(pick))
  await db.execute(sql`
    with note as (
      select * from unnest(
        ${column((n) => n.transactionHash)}::text[], ${column((n) => n.status)}::text[],
        ${column((n) => n.reason)}::text[], ${column((n) => JSON.stringify(n.seen))}::text[],
        ${column((n) => n.attempts)}::int[], ${column((n) => n.retryInMs)}::float8[])
        as t(hash, status, reason, seen, attempts, retry_in_ms)),
    open as (
      select transaction_hash as hash from ${claims} join note on hash = transaction_hash
      where next_attempt_at is not null for update of claims skip locked)
    update ${claims} set status = note.status, reason = note.reason, seen = note.seen::jsonb,
      attempts = note.attempts, next_attempt_at = now() + note.retry_in_ms * interval '1 millisecond',
      client_address = case when note.retry_in_ms is null then null else client_address end
    from note join open using (hash) where transaction_hash = note.hash`)
}

/** Throws ALREADY_PROCESSED for what a buyer posted or an earlier call got. A `not_found` hash is looked up again. */
export async function beginManual(db: Db, hash: Hash): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(claims).values({ transactionHash: hash, source: 'admin' }).onConflictDoNothing()
    await resolveClaims(tx, [hash])
    const claim = await getClaim(tx, hash)
    if (claim?.manualAnsweredAt || (claim?.source === 'site' && claim.status === 'credited'))
      throw alreadyProcessed()
    if (claim?.status !== 'not_found') return
    await tx
      .update(claims)
      .set({
        status: 'received',
        reason: null,
        attempts: 0,
        createdAt: sql`now()`,
        nextAttemptAt: sql`now()`,
      })
      .where(eq(claims.transactionHash, hash))
  })
}

/** Tickets, for the first call only; undefined while it is not decided. Throws what is wrong on chain. */
export async function readManual(db: Db, hash: Hash): Promise<{ ticketsCreated: number } | undefined> {
  const claim = await getClaim(db, hash)
  if (!claim || claim.status === 'not_found')
    throw new RaffleError('TRANSACTION_NOT_FOUND', { reason: 'transaction' })
  if (claim.status === 'rejected') throw whyRejected(claim.reason)
  if (claim.status !== 'credited') return undefined
  const { count: first } = await db
    .update(claims)
    .set({ manualAnsweredAt: sql`now()` })
    .where(and(eq(claims.transactionHash, hash), eq(claims.source, 'admin'), isNull(claims.manualAnsweredAt)))
  if (first === 0) throw alreadyProcessed()
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .where(eq(payments.transactionHash, hash))
  return { ticketsCreated: sum?.tickets ?? 0 }
}

const alreadyProcessed = () => new RaffleError('ALREADY_PROCESSED', { reason: 'transaction' })

function whyRejected(reason: PaymentReason | null): RaffleError {
  switch (reason) {
    case 'reverted':
      return new RaffleError('TX_FAILED')
    case 'underpaid':
      return new RaffleError('BELOW_TICKET_PRICE')
    case 'missed':
    case 'early':
      return new RaffleError('OUTSIDE_SALE_WINDOW', { reason })
    case 'late':
    case 'old_wallet':
      return new RaffleError('OUTSIDE_SALE_WINDOW', { reason: 'late', data: { reason } })
    default:
      return new RaffleError('NO_MATCHING_TRANSFER', { data: { reason } })
  }
}
