import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { refundRows } from '../schema/index.ts'
import { lockRefunds } from './accounts.ts'
import { reportOf } from './flight.ts'
import { toRefundRow } from './list.ts'

/**
 * The page still waits for the wallet's answer: its rows are not freed meanwhile, and the wallet's next
 * transactions may carry nonces from `nonce` on. A claim that was answered or taken by another caller is skipped.
 */
export async function keepOffers(
  tx: Db,
  { nonce, rows }: { nonce: number; rows: readonly { id: number; revision: number }[] },
): Promise<number[]> {
  await lockRefunds(tx)
  const kept: number[] = []
  for (const { id, revision } of rows) {
    const [row] = await tx
      .update(refundRows)
      .set({
        offeredAt: sql`now()`,
        // Null for a call of the register, which no nonce frees.
        nonceBound: sql`case when nonce_bound is not null then greatest(nonce_bound, ${nonce + rows.length - 1}) end`,
      })
      .where(
        and(
          eq(refundRows.id, id),
          eq(refundRows.revision, revision),
          eq(refundRows.state, 'offered'),
          isNotNull(refundRows.offeredAt),
        ),
      )
      .returning({ id: refundRows.id })
    if (row) kept.push(row.id)
  }
  return kept
}

/**
 * Records the hash that the wallet returned: a hint for display and matching, never a fact. Safe to repeat; rows
 * that are done stay done. `claims` are the offers that it answers. Returns the rows as they are afterwards, without
 * unknown ids. Throws VERSION_CONFLICT, with nothing recorded, where a row was handed out anew since: the hash would
 * stand for a request that it is none of.
 */
export async function noteSent(
  tx: Db,
  ids: readonly number[],
  hash: Hash,
  claims: readonly { id: number; revision: number }[] = [],
) {
  await lockRefunds(tx)
  await expectClaims(tx, claims)
  const isOpen = sql`${refundRows.state} <> 'settled'`
  await tx
    .update(refundRows)
    .set({
      ...{ state: 'sent', reason: null, transactionHash: hash },
      ...reportOf(hash),
      // Sent without an offer: its nonce is not known.
      nonceBound: sql`case when offered_at is not null then nonce_bound end`,
      offeredWallet: sql`case when offered_at is not null then offered_wallet end`,
      offeredUnits: sql`case when offered_at is not null then offered_units end`,
      offeredPath: sql`case when offered_at is not null then offered_path end`,
      offeredAt: sql`coalesce(offered_at, now())`,
    })
    .where(and(inArray(refundRows.id, [...ids]), isOpen))
  return rowsOf(tx, ids)
}

async function expectClaims(tx: Db, claims: readonly { id: number; revision: number }[]): Promise<void> {
  const revisions = new Map(claims.map(({ id, revision }) => [id, revision]))
  const rows = await tx
    .select()
    .from(refundRows)
    .where(inArray(refundRows.id, [...revisions.keys()]))
  const stale = rows.filter(
    ({ id, state, revision }) => state !== 'settled' && revision !== revisions.get(id),
  )
  if (stale.length > 0)
    throw new RaffleError(
      'VERSION_CONFLICT',
      '이 환불 항목은 그동안 다시 넘겨졌습니다. 새로 고친 뒤 확인하세요.',
      { ids: stale.map(({ id }) => id) },
    )
}

/**
 * The wallet's user refused: these rows are free at once, unless another call of the register for them may still run.
 * Only the claim that was handed out counts (its `revision`), so a late answer never frees rows that another caller has
 * taken meanwhile.
 */
export async function noteRejected(tx: Db, claims: readonly { id: number; revision: number }[]) {
  await lockRefunds(tx)
  const isLast = sql`coalesce(${refundRows.offeredCalls}, 1) <= 1`
  for (const { id, revision } of claims)
    await tx
      .update(refundRows)
      .set({
        state: sql`case when ${isLast} then 'planned' else state end`,
        offeredAt: sql`case when ${isLast} then null else offered_at end`,
        offeredCalls: sql`offered_calls - 1`,
        // The same answer, told again, is not that of another call.
        revision: sql`${refundRows.revision} + case when ${isLast} then 0 else 1 end`,
      })
      .where(and(eq(refundRows.id, id), eq(refundRows.revision, revision), eq(refundRows.state, 'offered')))
  return rowsOf(
    tx,
    claims.map((claim) => claim.id),
  )
}

/** The wallet has taken a batch: any page with that wallet can ask what became of it. Safe to repeat. */
export async function noteBundle(tx: Db, ids: readonly number[], bundle: string): Promise<void> {
  await lockRefunds(tx)
  await tx
    .update(refundRows)
    .set({ bundle })
    .where(
      and(inArray(refundRows.id, [...ids]), eq(refundRows.state, 'offered'), isNotNull(refundRows.offeredAt)),
    )
}

/** Rows as the API returns them, without unknown ids. */
export async function rowsOf(tx: Db, ids: readonly number[]) {
  const rows = await tx
    .select()
    .from(refundRows)
    .where(inArray(refundRows.id, [...ids]))
    .orderBy(refundRows.id)
  return rows.map((row) => toRefundRow(row))
}
