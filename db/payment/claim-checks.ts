import { sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { PaymentReason, PaymentStatus } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { claims, type SeenPayment } from '../schema/index.ts'
import type { Claim } from './claims.ts'

/** The result of verifying a claim. */
export type ClaimNote = {
  transactionHash: Hash
  status: PaymentStatus
  reason: PaymentReason | null
  seen: readonly SeenPayment[]
  /** Consecutive attempts in which no endpoint knew it. */
  attempts: number
  /** Null: no further check needed. */
  retryInMs: number | null
}

/** Claims taken by a job that dies become due again after this time. */
const leaseMs = 3_000

/**
 * Due hashes: mostly those with the fewest attempts, newest first, so that a buyer does not wait behind a
 * flood of invented hashes; and some of the longest due, so that no claim waits for ever.
 */
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

/**
 * Stores the results; a claim that was resolved meanwhile is left alone. A locked row is being resolved by
 * the scan or noted by another job, so it is skipped: no deadlock.
 */
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
