import { type AnyColumn, and, asc, isNotNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { balance } from '../../core/refund/accounts.ts'
import { smaller } from '../../core/refund/allocate.ts'
import type { AccountRow, Books, Debt, OutTransfer } from '../../core/refund/books.ts'
import type { Db } from '../index.ts'
import {
  events,
  operatorTransfers,
  payments,
  refundBatches,
  refundReaddresses,
  refundRowPayments,
  refundRows,
  voidedPayments,
} from '../schema/index.ts'

export type StoredRow = typeof refundRows.$inferSelect
/** A row, whether it waits for an administrator, and where its payer has ever named his money to go. */
export type LoadedRow = StoredRow & { isHeld: boolean; named: ReadonlyMap<Address, bigint> }
export type Accounts = Books & { rows: LoadedRow[]; transfers: OutTransfer[] }

/** One database transaction at a time prepares, offers or settles, so an amount is still owed when it is written. */
export async function lockRefunds(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('blockdraw refunds'))`)
}

export const isHeld = ({ hold, releasedAt }: Pick<StoredRow, 'hold' | 'releasedAt'>): boolean =>
  hold !== null && releasedAt === null

/** In flight: handed to a wallet, and it may still be mined. */
export const isInFlight = (row: Pick<StoredRow, 'offeredAt'>): boolean => row.offeredAt !== null

/**
 * Every row and transfer that concerns these addresses, also through a payer's other address, or through one that a
 * row was sent to before it moved: what arrived there stays paid.
 */
export async function loadAccounts(tx: Db, addresses: readonly Address[]): Promise<Accounts> {
  const { rows, known } = await loadRows(tx, addresses)
  const ids = rows.map((row) => row.id)
  // Asked at once: the database answers one while the other is read.
  const [transfers, debts] = await Promise.all([loadTransfers(tx, known), loadDebts(tx, ids)])
  const books = balance(
    rows.map((row) => toAccountRow(row, debts.get(row.id))),
    transfers,
  )
  return { rows, transfers, ...books }
}

/** The rows that are connected with these addresses, oldest first, and every address that is. */
async function loadRows(
  tx: Db,
  addresses: readonly Address[],
): Promise<{ rows: LoadedRow[]; known: Address[] }> {
  const known = new Set(addresses)
  const rows = new Map<number, LoadedRow>()
  for (let fresh = [...known]; fresh.length > 0; ) {
    const found = await tx
      .select()
      .from(refundRows)
      .where(
        or(
          isAmong(refundRows.payer, fresh),
          isAmong(refundRows.recipient, fresh),
          isAmongIds(refundRows.id, await rowsPaidAt(tx, fresh)),
        ),
      )
    const added = found.filter(({ id }) => !rows.has(id))
    const ids = added.map(({ id }) => id)
    const [named, sentTo] = await Promise.all([
      loadNamed(tx, ids),
      tx
        .selectDistinctOn([operatorTransfers.recipient], { recipient: operatorTransfers.recipient })
        .from(operatorTransfers)
        .where(isAmongIds(operatorTransfers.rowId, ids)),
    ])
    for (const row of added)
      rows.set(row.id, Object.assign(row, { isHeld: isHeld(row), named: named.get(row.id) ?? nowhere }))
    fresh = []
    for (const address of [
      ...added.flatMap(({ payer, recipient }) => [payer, recipient]),
      ...sentTo.map(({ recipient }) => recipient),
    ])
      if (!known.has(address)) {
        known.add(address)
        fresh.push(address)
      }
  }
  return { rows: [...rows.values()].sort((a, b) => a.id - b.id), known: [...known] }
}

const nowhere: ReadonlyMap<Address, bigint> = new Map()

/** The addresses that payers have signed for, row by row; of the same one the last time. */
async function loadNamed(tx: Db, ids: readonly number[]): Promise<Map<number, Map<Address, bigint>>> {
  const wishes = await tx
    .select()
    .from(refundReaddresses)
    .where(and(isAmongIds(refundReaddresses.rowId, ids), isNotNull(refundReaddresses.proof)))
    .orderBy(asc(refundReaddresses.id))
  const named = new Map<number, Map<Address, bigint>>()
  for (const { rowId, recipient, namedAt } of wishes)
    named.set(rowId, (named.get(rowId) ?? new Map()).set(recipient, namedAt ?? -1n))
  return named
}

/** Asked apart, as a subselect beside other conditions makes the database read every row. */
async function rowsPaidAt(tx: Db, addresses: readonly Address[]): Promise<number[]> {
  const found = await tx
    .selectDistinctOn([operatorTransfers.rowId], { id: operatorTransfers.rowId })
    .from(operatorTransfers)
    .where(isAmong(operatorTransfers.recipient, addresses))
  return found.flatMap(({ id }) => id ?? [])
}

async function loadTransfers(tx: Db, addresses: readonly Address[]): Promise<OutTransfer[]> {
  const found = await tx
    .select()
    .from(operatorTransfers)
    .where(
      and(
        or(isAmong(operatorTransfers.recipient, addresses), isAmong(operatorTransfers.debtor, addresses)),
        not(operatorTransfers.isGone),
      ),
    )
    .orderBy(
      sql`coalesce(${operatorTransfers.orderBlock}, ${operatorTransfers.blockNumber})`,
      asc(operatorTransfers.transactionHash),
      asc(operatorTransfers.logPosition),
    )
  return found.map((transfer) =>
    Object.assign(transfer, {
      key: `${transfer.transactionHash} ${transfer.logPosition}`,
      // A prize is nobody's refund.
      notRefund: transfer.notRefund || transfer.prizePlace !== null,
      block: transfer.orderBlock ?? transfer.blockNumber,
    }),
  )
}

/** One parameter however long the list is, which the database hashes. */
const isAmong = (column: AnyColumn, addresses: readonly Address[]): SQL =>
  sql`${column} = any(${sql.param([...addresses])}::text[])`
const isAmongIds = (column: AnyColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${sql.param(ids.map(String))}::text[]::bigint[])`

/** Payers one of whose rows, of any batch, may have been paid: directly, at its recipient, or at a former one. */
export async function payersWithTransfers(db: Db): Promise<ReadonlySet<Address>> {
  const found = await db.execute<{ payer: Address }>(sql`
    select r.payer from ${refundRows} r join ${operatorTransfers} t on t.recipient = r.payer where not t.is_gone
    union select r.payer from ${refundRows} r join ${operatorTransfers} t on t.recipient = r.recipient where not t.is_gone
    union select t.debtor from ${operatorTransfers} t where t.debtor is not null and not t.is_gone
    union select r.payer from ${refundRows} r join ${operatorTransfers} t on t.row_id = r.id where not t.is_gone`)
  return new Set(found.map(({ payer }) => payer))
}

/**
 * The live payments of rows. A payment removed by a reorg and mined again counts from the earliest block that it ever
 * stood in: what was sent behind that one may have been its refund.
 */
async function loadDebts(tx: Db, rowIds: readonly number[]): Promise<Map<number, Debt[]>> {
  const ids = sql`any(${sql.param(rowIds.map(String))}::text[]::bigint[])`
  // One value for each row: with one for each column the books of many payers take most of their time to read.
  const reading = tx.execute<{ rowId: string; debts: StoredDebt[] }>(sql`
    select l.row_id::text as "rowId", json_agg(json_build_array(p.id, coalesce(p.token, e.token),
      coalesce(l.paid_by, p.wallet), case when l.paid_by <> p.wallet then p.wallet end, p.units::text, p.block_number::text)
      order by p.id) as debts
    from ${refundRowPayments} l join ${payments} p on p.id = l.payment_id
    join ${refundRows} r on r.id = l.row_id join ${refundBatches} b on b.id = r.batch_id
    join ${events} e on e.number = b.event_number
    where l.is_live and l.row_id = ${ids} group by l.row_id`)
  const readingVoided = tx.execute<{ id: string; block: string }>(sql`
    select p.id::text as id, min(v.block_number)::text as block
    from ${voidedPayments} v join ${payments} p
      on p.transaction_hash = v.transaction_hash and p.payer = v.payer and p.wallet = v.wallet
    join ${refundRowPayments} l on l.payment_id = p.id and l.is_live
    where l.row_id = ${ids} group by p.id`)
  const [rows, voided] = await Promise.all([reading, readingVoided])
  const before = new Map(voided.map(({ id, block }) => [Number(id), BigInt(block)]))
  return new Map(
    rows.map(({ rowId, debts }) => [Number(rowId), debts.map((debt) => toDebt(debt, before.get(debt[0])))]),
  )
}

type StoredDebt = [
  paymentId: number,
  token: Address,
  wallet: Address,
  handedOverBy: Address | null,
  units: string,
  block: string,
]

function toDebt(
  [paymentId, token, wallet, handedOverBy, units, height]: StoredDebt,
  before: bigint | undefined,
): Debt {
  const block = BigInt(height)
  return {
    ...{ paymentId, token, wallet, handedOverBy, units: BigInt(units) },
    since: smaller(block, before ?? block),
    isRefolded: before !== undefined,
  }
}

const toAccountRow = (row: LoadedRow, debts: readonly Debt[] = []): AccountRow => ({
  ...row,
  debts,
  offeredUnits: isInFlight(row) ? row.offeredUnits : null,
})
