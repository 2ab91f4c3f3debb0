import { and, asc, desc, eq, isNull, not, or, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { centsOf } from '../../core/money.ts'
import { classOf } from '../../core/refund/classes.ts'
import type { RefundRow, RefundTotals } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { operatorTransfers, refundBatches, refundReaddresses, refundRows } from '../schema/index.ts'
import { isHeld, loadAccounts, payersWithTransfers, type StoredRow } from './accounts.ts'
import { debtsOf } from './debts.ts'
import { ownWallets } from './own-wallets.ts'
import type { RefundScope } from './totals.ts'
import { unreadRows } from './unread.ts'

/** A row as the API returns it; `units` default to those of the row. `isUnread`: as `unreadRows` says. */
export function toRefundRow(row: StoredRow, units = row.units, isUnread = false): RefundRow {
  return {
    id: row.id,
    to: getAddress(row.recipient),
    ...amountsOf(units),
    state: row.state,
    reason: reasonOf(row, isUnread),
    transactionHash: row.transactionHash,
  }
}

function reasonOf(row: StoredRow, isUnread: boolean): RefundRow['reason'] {
  if (isHeld(row) && row.state !== 'settled') return row.hold
  if (row.checkedAt === null) return 'unchecked'
  const isOpen = row.state === 'planned' || row.state === 'failed'
  return isUnread && isOpen && row.reason !== 'ahead' ? 'unread' : row.reason
}

const amountsOf = (units: bigint) => ({ amount: Number(centsOf(units)), units: units.toString() })

/** Every row of a scope, oldest first: in full, and with the amount still to be sent. */
export async function listRefundRows(db: Db, scope: RefundScope) {
  const rows = (
    await db
      .select({ row: refundRows })
      .from(refundRows)
      .innerJoin(refundBatches, eq(refundBatches.id, refundRows.batchId))
      .where(and(eq(refundBatches.kind, scope.kind), eq(refundBatches.eventNumber, scope.eventNumber)))
      .orderBy(asc(refundRows.id))
  ).map(({ row }) => row)
  const dues = await duesOf(db, rows)
  const unread = await unreadRows(db)
  return rows.map((row) => {
    const isUnderWay = row.offeredAt !== null && row.state !== 'settled'
    const due = isUnderWay && row.offeredUnits ? row.offeredUnits : (dues.get(row.id) ?? 0n)
    const isUnread = unread.has(row.id)
    const shown = toRefundRow(row, row.units, isUnread)
    return { stored: row, isUnread, row: shown, toSend: { ...shown, ...amountsOf(due) } }
  })
}

/** Rows without transfers are due in full, so amounts are computed only for payers that received something. */
async function duesOf(db: Db, rows: readonly StoredRow[]): Promise<Map<number, bigint>> {
  const paid = await payersWithTransfers(db)
  const touched = rows.filter((row) => paid.has(row.payer))
  const { accounts } = await loadAccounts(db, [...new Set(touched.map((row) => row.payer))])
  return new Map(rows.map((row) => [row.id, accounts.get(row.id)?.due ?? row.units]))
}

/** Sums of rows: `amount` is the sum of the rows' hundredths, `units` exact. */
export function totalsOf(rows: readonly Pick<RefundRow, 'amount' | 'units'>[]): RefundTotals {
  return {
    totalRefunds: rows.length,
    totalAmount: rows.reduce((sum, row) => sum + row.amount, 0),
    totalUnits: rows.reduce((sum, row) => sum + BigInt(row.units), 0n).toString(),
  }
}

/** As the function of this name has it; drizzle would leave out the table's name where it selects from one alone. */
const isElsewhere = sql<boolean>`coalesce(debtor <> recipient and not exists (
  select 1 from ${refundRows} r left join ${refundReaddresses} w on w.row_id = r.id and w.proof is not null
  where r.payer = operator_transfers.debtor and operator_transfers.recipient in (r.recipient, w.recipient)), false)`

/**
 * Final transfers to payers that belong to no row, or to a row that received more than its payments: an
 * administrator decides whether they were refunds. Newest first.
 */
export async function listUnallocated(db: Db) {
  const rows = await db
    .select({ transfer: operatorTransfers, isElsewhere })
    .from(operatorTransfers)
    .where(
      and(
        not(operatorTransfers.isGone),
        or(
          and(
            isNull(operatorTransfers.rowId),
            sql`(exists (select 1 from ${debtsOf('leftover')} p where p.payer = ${operatorTransfers.recipient})
            or exists (select 1 from ${refundRows} r where ${operatorTransfers.recipient} in (r.payer, r.recipient)
              or r.payer = ${operatorTransfers.debtor}))`,
          ),
          sql`exists (select 1 from ${refundRows} r where r.id = ${operatorTransfers.rowId} and r.units < (
          select sum(t.units) from operator_transfers t where t.row_id = r.id and not t.is_gone))`,
        ),
      ),
    )
    .orderBy(desc(operatorTransfers.blockNumber), desc(operatorTransfers.logPosition))
    .limit(500)
  const own = await ownWallets(db)
  return rows.map(({ transfer, isElsewhere }) => ({
    class: classOf({ ...transfer, isElsewhere }, own),
    transactionHash: transfer.transactionHash,
    position: transfer.logPosition,
    to: getAddress(transfer.recipient),
    amount: Number(centsOf(transfer.units)),
    units: transfer.units.toString(),
    at: transfer.blockTime.toISOString(),
    notRefund: transfer.notRefund,
    markedAs: transfer.markedAs,
  }))
}
