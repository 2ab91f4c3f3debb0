import { asc, eq, or, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import {
  type Account,
  type AccountRow,
  accountsOf,
  allocate,
  type OutTransfer,
  standingOf,
} from '../../core/refund/accounts.ts'
import { isSpent } from '../../core/refund/nonce.ts'
import type { Db } from '../index.ts'
import { operatorTransfers, refundRows } from '../schema/index.ts'

export type StoredRow = typeof refundRows.$inferSelect
export type Accounts = { rows: StoredRow[]; transfers: OutTransfer[]; accounts: Map<number, Account> }
/**
 * What the final chain says about requests in flight: transactions of each wallet, and hashes that are final.
 * `now` is the database's clock.
 */
export type FinalFacts = { nonces: Record<Address, number>; hashes: readonly string[]; now: Date }

/** One at a time prepares, offers or settles: an amount that was read is still owed when it is written down. */
export async function lockRefunds(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('blockdraw refunds'))`)
}

/** In flight: handed to a wallet, and nobody knows yet that it cannot be mined any more. */
export const isInFlight = (row: Pick<StoredRow, 'offeredAt'>): boolean => row.offeredAt !== null

/** Every row and transfer that has to do with these addresses, also by way of a payer's other address. */
export async function loadAccounts(tx: Db, addresses: readonly Address[]): Promise<Accounts> {
  const known = new Set(addresses)
  let rows: StoredRow[] = []
  for (let before = -1; before !== known.size; ) {
    before = known.size
    const list = sql.param([...known])
    rows = await tx
      .select()
      .from(refundRows)
      .where(
        or(
          sql`${refundRows.payer} = any(${list}::text[])`,
          sql`${refundRows.recipient} = any(${list}::text[])`,
        ),
      )
      .orderBy(asc(refundRows.id))
    for (const { payer, recipient } of rows) known.add(payer).add(recipient)
  }
  const transfers = (
    await tx
      .select()
      .from(operatorTransfers)
      .where(sql`${operatorTransfers.recipient} = any(${sql.param([...known])}::text[])`)
      .orderBy(
        asc(operatorTransfers.blockNumber),
        asc(operatorTransfers.transactionHash),
        asc(operatorTransfers.logPosition),
      )
  ).map(({ transactionHash, logPosition, recipient, units, rowId, notRefund }) => ({
    key: `${transactionHash} ${logPosition}`,
    ...{ transactionHash, recipient, units, rowId, notRefund },
  }))
  return { rows, transfers, accounts: accountsOf(rows.map(toAccountRow), transfers) }
}

/**
 * Allocates what is not allocated yet, and puts every row of these addresses where the final facts say. Safe
 * to run twice: the second run finds nothing to change. The caller holds the lock.
 */
export async function reconcile(tx: Db, addresses: readonly Address[], final?: FinalFacts): Promise<void> {
  if (addresses.length === 0) return
  const { rows, transfers } = await loadAccounts(tx, addresses)
  const given = allocate(rows.map(toAccountRow), transfers)
  await writeAllocations(tx, given)
  const known = transfers.map((t) => ({ ...t, rowId: given.get(t.key) ?? t.rowId }))
  const accounts = accountsOf(rows.map(toAccountRow), known)
  const own = Map.groupBy(known, (transfer) => transfer.rowId)
  for (const row of rows) {
    const standing = standingOf(toAccountRow(row), accounts.get(row.id) as Account)
    const landing = isInFlight(row) && hasLanded(row, own.get(row.id) ?? [], final)
    const isOpen = standing.state === 'offered' || standing.state === 'sent'
    const next =
      landing && isOpen
        ? landing === 'mined'
          ? { ...standing, state: 'planned' as const, transactionHash: null }
          : { ...standing, state: 'failed' as const, reason: standing.reason ?? ('replaced' as const) }
        : standing
    await writeStanding(tx, row, next, Boolean(landing))
  }
}

/**
 * `mined`: the reported transaction has paid this row. `dead`: nothing of it can be mined any more. Undefined
 * while it may be. What was reported without an offer is dead once its own transaction is final without it.
 */
function hasLanded(row: StoredRow, paid: readonly OutTransfer[], final: FinalFacts | undefined) {
  const isOwn = (t: OutTransfer) => t.transactionHash === row.transactionHash && t.units === row.offeredUnits
  if (row.transactionHash && paid.some(isOwn)) return 'mined'
  if (!final) return undefined
  if (row.state === 'offered' && !isUnattended(row, final.now)) return undefined
  const finalNonce = row.offeredWallet ? final.nonces[row.offeredWallet] : undefined
  if (isSpent(row.nonceBound, finalNonce)) return 'dead'
  const isKnownHash = row.transactionHash !== null && final.hashes.includes(row.transactionHash)
  return row.nonceBound === null && isKnownHash ? 'dead' : undefined
}

/** A page that waits for its wallet says so again and again; the wallet forgets what it asked with the page. */
const leaseMs = 60_000
const isUnattended = (row: StoredRow, now: Date): boolean =>
  row.offeredAt !== null && now.getTime() - row.offeredAt.getTime() > leaseMs

export const toAccountRow = (row: StoredRow): AccountRow => ({
  ...row,
  offeredUnits: isInFlight(row) ? row.offeredUnits : null,
})

async function writeAllocations(tx: Db, given: ReadonlyMap<string, number>): Promise<void> {
  if (given.size === 0) return
  await tx.execute(sql`
    update ${operatorTransfers} set row_id = given.row_id
    from unnest(${sql.param([...given.keys()])}::text[], ${sql.param([...given.values()].map(String))}::text[]::bigint[])
      as given (key, row_id)
    where ${operatorTransfers.transactionHash} || ' ' || ${operatorTransfers.logPosition} = given.key`)
}

async function writeStanding(
  tx: Db,
  row: StoredRow,
  next: Pick<StoredRow, 'state' | 'reason' | 'transactionHash'>,
  landed: boolean,
): Promise<void> {
  const isSame =
    row.state === next.state && row.reason === next.reason && row.transactionHash === next.transactionHash
  if (isSame && !landed) return
  await tx
    .update(refundRows)
    .set({
      state: next.state,
      reason: next.reason,
      transactionHash: next.transactionHash,
      ...(landed && { offeredAt: null }),
      ...(row.state !== next.state && { settledAt: next.state === 'settled' ? sql`now()` : null }),
    })
    .where(eq(refundRows.id, row.id))
}
