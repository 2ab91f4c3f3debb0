import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { hasUnknownTraffic, nonceBoundOf } from '../../core/refund/nonce.ts'
import { isOfferable } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { operatorWallets, payments, refundRowPayments, refundRows, refundWatch } from '../schema/index.ts'
import { type Accounts, isInFlight, loadAccounts, lockRefunds, type StoredRow } from './accounts.ts'
import { toRefundRow } from './list.ts'

/** Maximum age of the last complete read of the final chain. */
const freshSeconds = 60

export type Offer = {
  ids: readonly number[]
  wallet: Address
  /** The wallet's next nonce, as the browser knows it. */
  nonce: number
  /** How many transactions the wallet may send for it. */
  transactions: number
}

/** Nonces of the operator wallets in the final chain; throws RPC_UNAVAILABLE if no worker has read them recently, or
 * while what a new wallet may have paid back before is being read. */
export async function expectWatched(db: Db): Promise<Record<Address, number>> {
  const [watch] = await db
    .select()
    .from(refundWatch)
    .where(sql`${refundWatch.checkedAt} > clock_timestamp() - ${`${freshSeconds} seconds`}::interval
      and not exists (select 1 from ${operatorWallets} where unread_to is not null)`)
  if (watch) return watch.nonces
  throw new RaffleError(
    'RPC_UNAVAILABLE',
    '블록체인에서 보낸 내역을 확인할 수 없어 환불을 진행할 수 없습니다. 잠시 후 다시 시도하세요.',
  )
}

/**
 * Hands rows to a wallet: of parallel callers only one gets a row. Rows that cannot be offered now are left out
 * of the answer: done, held, in flight, or another row of the same payer is in flight. Throws INVALID_VALUE for
 * a wallet that is not ours, TX_PENDING while the wallet has pending transactions that are not ours.
 */
export async function offerRefunds(tx: Db, offer: Offer) {
  await lockRefunds(tx)
  const nonces = await expectWatched(tx)
  const finalNonce = nonces[offer.wallet]
  if (finalNonce === undefined || !(await isOurWallet(tx, offer.wallet)))
    throw new RaffleError('INVALID_VALUE', 'wallet: 운영자 지갑이 아닙니다.', {}, { field: 'wallet' })
  const inFlight = await flightsOf(tx, offer.wallet)
  if (hasUnknownTraffic(offer.nonce, finalNonce, await countReported(tx)))
    throw new RaffleError('TX_PENDING', '지갑에서 다른 거래가 진행 중입니다. 완료된 뒤 다시 시도하세요.')
  const asked = await tx
    .select()
    .from(refundRows)
    .where(inArray(refundRows.id, [...offer.ids]))
    .orderBy(refundRows.id)
  const accounts = await loadAccounts(tx, [...new Set(asked.map((row) => row.payer))])
  const stale = await staleRows(tx, offer.ids)
  const chosen = choose(asked, accounts, stale)
  const first = chosen[0]
  if (!first) return []
  const bounds = inFlight.flatMap((row) => row.nonceBound ?? [])
  const nonceBound = nonceBoundOf(Math.max(offer.nonce, finalNonce), offer.transactions, bounds)
  await raiseBounds(tx, offer.wallet, nonceBound)
  const rows = []
  for (const { row, due } of chosen) {
    const [offered] = await tx
      .update(refundRows)
      .set({
        ...{ state: 'offered', reason: null, transactionHash: null },
        ...{ offeredNonce: offer.nonce, nonceBound, offeredWallet: offer.wallet, offeredUnits: due },
        offeredTransactions: row === first.row ? offer.transactions : 0,
        offeredAt: sql`now()`,
        revision: sql`${refundRows.revision} + 1`,
      })
      .where(eq(refundRows.id, row.id))
      .returning()
    if (offered) rows.push({ ...toRefundRow(offered, due), revision: offered.revision })
  }
  return rows
}

/** Rows that may be offered now and the amount due for each: one per payer and address, none in flight. */
function choose(asked: readonly StoredRow[], { rows, accounts }: Accounts, stale: ReadonlySet<number>) {
  const busy = new Set(rows.filter(isInFlight).flatMap((row) => [row.payer, row.recipient]))
  return asked.flatMap((row) => {
    const due = accounts.get(row.id)?.due ?? 0n
    const isFree = !isInFlight(row) && !busy.has(row.payer) && !busy.has(row.recipient)
    if (!isFree || due === 0n || stale.has(row.id) || !isOfferable(toRefundRow(row, due))) return []
    busy.add(row.payer).add(row.recipient)
    return { row, due }
  })
}

/** Rows whose payments a reorg has removed since they were counted. */
async function staleRows(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: refundRows.id })
    .from(refundRows)
    .leftJoin(refundRowPayments, and(eq(refundRowPayments.rowId, refundRows.id), refundRowPayments.isLive))
    .leftJoin(payments, eq(payments.id, refundRowPayments.paymentId))
    .where(inArray(refundRows.id, [...ids]))
    .groupBy(refundRows.id)
    .having(sql`coalesce(sum(${payments.units}), 0) <> ${refundRows.units}`)
  return new Set(rows.map((row) => row.id))
}

async function isOurWallet(tx: Db, wallet: Address): Promise<boolean> {
  const rows = await tx.select().from(operatorWallets).where(eq(operatorWallets.address, wallet))
  return rows.length > 0
}

const flightsOf = (tx: Db, wallet: Address): Promise<StoredRow[]> =>
  tx
    .select()
    .from(refundRows)
    .where(and(isNotNull(refundRows.offeredAt), eq(refundRows.offeredWallet, wallet)))

/**
 * Pending transactions that the wallet has reported: any other one may be a refund that was sent by hand. A
 * transaction that settled a row is final, so the wallet's final nonce counts it.
 */
async function countReported(tx: Db): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(distinct ${refundRows.transactionHash})::int` })
    .from(refundRows)
    .where(and(isNotNull(refundRows.offeredAt), ne(refundRows.state, 'settled')))
  return row?.count ?? 0
}

/** Requests that the wallet has not answered yet may take their nonces after this one. */
async function raiseBounds(tx: Db, wallet: Address, bound: number): Promise<void> {
  await tx
    .update(refundRows)
    .set({ nonceBound: sql`greatest(${refundRows.nonceBound}, ${bound})` })
    .where(
      and(
        eq(refundRows.offeredWallet, wallet),
        eq(refundRows.state, 'offered'),
        isNotNull(refundRows.offeredAt),
      ),
    )
}

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
        nonceBound: sql`greatest(${refundRows.nonceBound}, ${nonce + rows.length - 1})`,
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
 * that are done stay done. Returns the rows as they are afterwards, without unknown ids.
 */
export async function noteSent(tx: Db, ids: readonly number[], hash: Hash) {
  await lockRefunds(tx)
  const isOpen = sql`${refundRows.state} <> 'settled'`
  await tx
    .update(refundRows)
    .set({
      ...{ state: 'sent', reason: null, transactionHash: hash },
      // Sent without an offer: its nonce is not known.
      nonceBound: sql`case when offered_at is not null then nonce_bound end`,
      offeredWallet: sql`case when offered_at is not null then offered_wallet end`,
      offeredUnits: sql`case when offered_at is not null then offered_units end`,
      offeredAt: sql`coalesce(offered_at, now())`,
    })
    .where(and(inArray(refundRows.id, [...ids]), isOpen))
  return rowsOf(tx, ids)
}

/**
 * The wallet's user refused: these rows are free at once. Only the claim that was handed out counts (its
 * `revision`), so a late answer never frees rows that another caller has taken meanwhile.
 */
export async function noteRejected(tx: Db, claims: readonly { id: number; revision: number }[]) {
  await lockRefunds(tx)
  for (const { id, revision } of claims)
    await tx
      .update(refundRows)
      .set({ state: 'planned', offeredAt: null })
      .where(and(eq(refundRows.id, id), eq(refundRows.revision, revision), eq(refundRows.state, 'offered')))
  return rowsOf(
    tx,
    claims.map((claim) => claim.id),
  )
}

/**
 * An administrator knows that a transaction that was reported without an offer will never be mined. Throws
 * NOT_FOUND, TX_PENDING for a row whose nonce is known: the nonce rule decides about that one.
 */
export async function giveUpReport(tx: Db, id: number) {
  await lockRefunds(tx)
  const [row] = await tx
    .update(refundRows)
    .set({ state: 'failed', reason: 'replaced', offeredAt: null })
    .where(
      and(
        eq(refundRows.id, id),
        eq(refundRows.state, 'sent'),
        isNotNull(refundRows.offeredAt),
        isNull(refundRows.nonceBound),
      ),
    )
    .returning({ id: refundRows.id })
  const [shown] = await rowsOf(tx, [id])
  if (!shown) throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
  if (!row) throw new RaffleError('TX_PENDING', '이 항목은 지갑의 논스로 자동 확인됩니다.')
  return shown
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
