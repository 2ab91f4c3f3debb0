import { asc, eq, or, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import {
  type Account,
  type AccountRow,
  type Books,
  balance,
  type Debt,
  type OutTransfer,
  standingOf,
} from '../../core/refund/accounts.ts'
import { isSpent } from '../../core/refund/nonce.ts'
import type { Db } from '../index.ts'
import {
  operatorTransfers,
  payments,
  refundRowPayments,
  refundRows,
  voidedPayments,
} from '../schema/index.ts'

export type StoredRow = typeof refundRows.$inferSelect
export type Accounts = Books & { rows: StoredRow[]; transfers: OutTransfer[] }
/**
 * What the final chain says about requests in flight: transactions of each wallet, and hashes that are final.
 * `now` is the database's clock.
 */
export type FinalFacts = { nonces: Record<Address, number>; hashes: readonly string[]; now: Date }

/** One database transaction at a time prepares, offers or settles, so an amount is still owed when it is written. */
export async function lockRefunds(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('blockdraw refunds'))`)
}

/** In flight: handed to a wallet, and it may still be mined. */
export const isInFlight = (row: Pick<StoredRow, 'offeredAt'>): boolean => row.offeredAt !== null

/**
 * Every row and transfer that concerns these addresses, also through a payer's other address, or through one that a
 * row was sent to before it moved: what arrived there stays paid.
 */
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
          sql`${refundRows.id} in (
            select t.row_id from ${operatorTransfers} t where t.recipient = any(${list}::text[]) and t.row_id is not null)`,
        ),
      )
      .orderBy(asc(refundRows.id))
    for (const { payer, recipient } of rows) known.add(payer).add(recipient)
    const ids = sql.param(rows.map(({ id }) => `${id}`))
    const sentTo = await tx
      .selectDistinctOn([operatorTransfers.recipient], { recipient: operatorTransfers.recipient })
      .from(operatorTransfers)
      .where(sql`${operatorTransfers.rowId} = any(${ids}::text[]::bigint[])`)
    for (const { recipient } of sentTo) known.add(recipient)
  }
  const transfers = (
    await tx
      .select()
      .from(operatorTransfers)
      .where(
        sql`${operatorTransfers.recipient} = any(${sql.param([...known])}::text[]) and not ${operatorTransfers.isGone}`,
      )
      .orderBy(
        sql`coalesce(${operatorTransfers.orderBlock}, ${operatorTransfers.blockNumber})`,
        asc(operatorTransfers.transactionHash),
        asc(operatorTransfers.logPosition),
      )
  ).map((transfer) => ({
    ...transfer,
    key: `${transfer.transactionHash} ${transfer.logPosition}`,
    block: transfer.orderBlock ?? transfer.blockNumber,
  }))
  const debts = await loadDebts(
    tx,
    rows.map((row) => row.id),
  )
  return {
    rows,
    transfers,
    ...balance(
      rows.map((row) => toAccountRow(row, debts.get(row.id))),
      transfers,
    ),
  }
}

/** Payers one of whose rows, of any batch, may have been paid: directly, at its recipient, or at a former one. */
export async function payersWithTransfers(db: Db): Promise<ReadonlySet<Address>> {
  const found = await db.execute<{ payer: Address }>(sql`
    select r.payer from ${refundRows} r join ${operatorTransfers} t on t.recipient = r.payer where not t.is_gone
    union select r.payer from ${refundRows} r join ${operatorTransfers} t on t.recipient = r.recipient where not t.is_gone
    union select r.payer from ${refundRows} r join ${operatorTransfers} t on t.row_id = r.id where not t.is_gone`)
  return new Set(found.map(({ payer }) => payer))
}

/** The live payments of rows. A payment removed by a reorg and mined again keeps its first position. */
async function loadDebts(tx: Db, rowIds: readonly number[]): Promise<Map<number, Debt[]>> {
  const rows = await tx.execute<{
    rowId: string
    wallet: Address
    units: string
    block: string
    first: string | null
  }>(sql`
    select l.row_id::text as "rowId", p.wallet, p.units::text, p.block_number::text as block, (
      select v.block_number::text from ${voidedPayments} v
      where v.transaction_hash = p.transaction_hash and v.payer = p.payer and v.wallet = p.wallet
      order by v.id limit 1
    ) as first
    from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
    where l.is_live and l.row_id = any(${sql.param(rowIds.map(String))}::text[]::bigint[])
    order by p.id`)
  const debts = new Map<number, Debt[]>(rowIds.map((id) => [id, []]))
  for (const { rowId, wallet, units, block, first } of rows) {
    const since = BigInt(first ?? block)
    debts.get(Number(rowId))?.push({ wallet, units: BigInt(units), since, isRefolded: first !== null })
  }
  return debts
}

/**
 * Allocates what is not allocated yet, and puts every row of these addresses where the final facts say. Safe
 * to run twice: the second run finds nothing to change. The caller holds the lock.
 */
export async function reconcile(tx: Db, addresses: readonly Address[], final?: FinalFacts): Promise<void> {
  if (addresses.length === 0) return
  const { rows, transfers, accounts, given } = await loadAccounts(tx, addresses)
  await writeAllocations(tx, given)
  const known = transfers.map((t) => ({ ...t, rowId: given.get(t.key)?.rowId ?? t.rowId }))
  for (const row of rows) {
    const account = accounts.get(row.id) as Account
    const landing = isInFlight(row) && hasLanded(row, account, known, final)
    // A reorg has removed its payments for now, and the transaction it was offered for may still be mined.
    if (account.owed === 0n && isInFlight(row) && !landing) continue
    const standing = standingOf(row, account)
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
 * while it may be. A row reported without an offer is dead once its own transaction is final without paying it.
 */
function hasLanded(
  row: StoredRow,
  { owed }: Account,
  transfers: readonly OutTransfer[],
  final: FinalFacts | undefined,
) {
  const isOwn = (t: OutTransfer) =>
    (t.rowId === row.id || (owed === 0n && t.rowId === null && t.recipient === row.recipient)) &&
    t.transactionHash === row.transactionHash &&
    t.units === row.offeredUnits
  if (row.transactionHash && transfers.some(isOwn)) return 'mined'
  if (!final) return undefined
  if (row.state === 'offered' && !isUnattended(row, final.now)) return undefined
  const finalNonce = row.offeredWallet ? final.nonces[row.offeredWallet] : undefined
  if (isSpent(row.nonceBound, finalNonce)) return 'dead'
  const isKnownHash = row.transactionHash !== null && final.hashes.includes(row.transactionHash)
  return row.nonceBound === null && isKnownHash ? 'dead' : undefined
}

/** A page that waits for its wallet reports so repeatedly; closing the page ends the wallet's request. */
const leaseMs = 60_000
const isUnattended = (row: StoredRow, now: Date): boolean =>
  row.offeredAt !== null && now.getTime() - row.offeredAt.getTime() > leaseMs

const toAccountRow = (row: StoredRow, debts: readonly Debt[] = []): AccountRow => ({
  ...row,
  debts,
  offeredUnits: isInFlight(row) ? row.offeredUnits : null,
})

async function writeAllocations(tx: Db, given: Books['given']): Promise<void> {
  if (given.size === 0) return
  const column = (values: readonly string[]) => sql`${sql.param(values)}::text[]`
  const values = [...given.values()]
  await tx.execute(sql`
    update ${operatorTransfers} set row_id = given.row_id,
      order_block = case when given.block > coalesce(order_block, block_number) then given.block else order_block end
    from unnest(${column([...given.keys()])}, ${column(values.map(({ rowId }) => `${rowId}`))}::bigint[],
      ${column(values.map(({ block }) => `${block}`))}::bigint[]) as given (key, row_id, block)
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
