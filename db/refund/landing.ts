import { and, isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Account, OutTransfer } from '../../core/refund/books.ts'
import { canBeOver } from '../../core/refund/nonce.ts'
import { readClock } from '../clock.ts'
import type { Db } from '../index.ts'
import { payments, refundRowPayments, refundRows } from '../schema/index.ts'

type StoredRow = typeof refundRows.$inferSelect

/**
 * What the final chain says about requests in flight: transactions of each wallet, and hashes that are final.
 * `time` is that of the newest final block in seconds, `now` the database's clock.
 */
export type FinalFacts = {
  nonces: Record<Address, number>
  hashes: readonly string[]
  /** Of the newest final block, in seconds. */
  time: number
  /** Wallets whose key is lost or stolen by an administrator's word. */
  lost?: ReadonlySet<Address>
  /** Requests that a second reading of the chain, by another way, has found no payment of, by `flightKey`. */
  readAgain?: ReadonlySet<string>
  now: Date
}

/**
 * `mined`: the request has paid this row. `dead`: nothing of it can be mined any more, and the chain was asked twice.
 * Undefined while it may be. A row reported without an offer is dead once its own transaction is final without paying
 * it.
 */
export function landingOf(
  row: StoredRow,
  account: Account,
  transfers: readonly OutTransfer[],
  final: FinalFacts | undefined,
): 'mined' | 'dead' | undefined {
  if (transfers.some((transfer) => isAnswer(transfer, row, account))) return 'mined'
  return final?.readAgain?.has(flightKey(row)) && mayBeOver(row, final) ? 'dead' : undefined
}

/** The transaction that was reported, or one of the same wallet that pays just this, in whatever transaction. */
function isAnswer(t: OutTransfer, row: StoredRow, { owed }: Account): boolean {
  const isForRow = t.rowId === row.id || (owed === 0n && t.rowId === null && t.recipient === row.recipient)
  if (!isForRow) return false
  const isReported = t.transactionHash === row.transactionHash
  // Sent without an offer, so no amount was said: with nothing owed any more it was enough.
  if (row.offeredUnits === null) return isReported
  if (t.units !== row.offeredUnits) return false
  if (isReported) return true
  // What a speed-up or a relay made of it. A wallet that keeps its nonces is asked for them instead.
  return row.relayed && t.wallet === row.offeredWallet && t.block > (row.offeredBlock ?? t.block)
}

/** A page that waits for its wallet reports so repeatedly; closing the page ends the wallet's request. */
const leaseMs = 60_000
const isUnattended = ({ offeredAt }: StoredRow, now: Date): boolean =>
  offeredAt !== null && now.getTime() - offeredAt.getTime() > leaseMs

/** True when, by all that is known, nothing of a request in flight can be mined any more. */
function mayBeOver(
  row: StoredRow,
  { nonces, hashes, lost, now }: Pick<FinalFacts, 'nonces' | 'hashes' | 'lost' | 'now'>,
): boolean {
  if (row.state === 'offered' && !isUnattended(row, now)) return false
  // Nobody can use up the nonces of a lost key: the word on the request itself stands for them.
  if (row.lostAt !== null && row.offeredWallet && lost?.has(row.offeredWallet)) return true
  if (canBeOver(row, row.offeredWallet ? nonces[row.offeredWallet] : undefined)) return true
  return row.nonceBound === null && row.transactionHash !== null && hashes.includes(row.transactionHash)
}

/** A request as it stood: one that was handed out anew, or may use higher nonces since, has another key. */
export const flightKey = ({ id, revision, nonceBound, transactionHash }: StoredRow): string =>
  [id, revision, nonceBound, transactionHash].join(' ')

/** A request that would be given up, and where its payment would stand if there is one after all. */
export type OverdueFlight = {
  row: StoredRow
  /** The first block that can hold it; undefined where no payment of the row is left. */
  from: bigint | undefined
}

/** Requests that are over by `facts`: the chain is asked once more about each of them. */
export async function overdueFlights(
  db: Db,
  facts: Pick<FinalFacts, 'nonces' | 'hashes' | 'lost'>,
): Promise<OverdueFlight[]> {
  const now = new Date((await readClock(db)) * 1000)
  const firstPaid = sql<string | null>`(
    select min(p.block_number)::text from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
    where l.row_id = refund_rows.id)`
  const rows = await db
    .select({ row: refundRows, firstPaid })
    .from(refundRows)
    .where(and(isNotNull(refundRows.offeredAt), sql`${refundRows.offeredPath} is distinct from 'register'`))
    .orderBy(refundRows.id)
  return rows
    .filter(({ row }) => mayBeOver(row, { ...facts, now }))
    .map(({ row, firstPaid }) => ({
      row,
      from: row.nonceBound !== null && row.offeredBlock !== null ? row.offeredBlock + 1n : firstOf(firstPaid),
    }))
}

/** What was reported without an offer may have been sent at any time since the payment. */
const firstOf = (block: string | null): bigint | undefined => (block === null ? undefined : BigInt(block))
