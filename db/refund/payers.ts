import { eq, type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import type { Account, OutTransfer } from '../../core/refund/books.ts'
import {
  addProgress,
  noProgress,
  type Progress,
  progressOf,
  type RefundGroup,
} from '../../core/refund/progress.ts'
import type { Db } from '../index.ts'
import { refundBatches, refundRows } from '../schema/index.ts'
import { loadAccounts } from './accounts.ts'
import { toDeskRow } from './desk-row.ts'
import { unreadRows } from './unread.ts'

const payersPerPage = 25

type Wanted = {
  eventNumber: number
  group?: RefundGroup | undefined
  /** Part of an address or of a transaction's hash. */
  find?: string | undefined
  /** From 1. */
  page?: number | undefined
}

/** As `groupOf` has it, of a row `r`; a hold counts until it is released. */
const groupOfRow = sql`case when r.state = 'settled' then 'done' when r.state in ('offered', 'sent') then 'underWay'
  when (r.reason = 'ahead' and r.checked_at is not null) or (r.hold is not null and r.released_at is null)
  then 'held' else 'left' end`

/** As `groupOfAll` has it, over rows with their group as `grp`. */
const groupOfPayer = sql`case when bool_or(grp = 'underWay') then 'underWay' when bool_or(grp = 'left') then 'left'
  when bool_or(grp = 'held') then 'held' else 'done' end`

const isFound = (find: string): SQL =>
  find === ''
    ? sql`true`
    : sql`(strpos(r.payer, ${find}) > 0 or strpos(r.recipient, ${find}) > 0 or strpos(r.transaction_hash, ${find}) > 0)`

/**
 * The payers of an event over all its batches, in the order of the ledger, a page at a time: how many there are in
 * each group, and the books of those on the page alone, so that the time does not grow with the event.
 */
export async function listPayers(db: Db, { eventNumber, group, find = '', page = 1 }: Wanted) {
  const [row] = await db.execute<{
    counts: Record<RefundGroup, number> | null
    found: number
    cents: string
    payers: Address[] | null
  }>(sql`
    with rows as (
      select r.id, r.payer, r.units, ${groupOfRow} as grp, coalesce(${isFound(find.trim().toLowerCase())}, false) as is_found
      from ${refundRows} r join ${refundBatches} b on b.id = r.batch_id where b.event_number = ${eventNumber}
    ), payers as (
      select payer, min(id) as first, sum(units) as units, ${groupOfPayer} as grp, bool_or(is_found) as is_found
      from rows group by payer
    ), wanted as (
      select * from payers where is_found and (${group ?? null}::text is null or grp = ${group ?? null})
    )
    select (select json_object_agg(grp, n) from (select grp, count(*) as n from payers group by grp) c) as counts,
      (select count(*)::int from wanted) as found,
      (select coalesce(sum(div(units, 10000000000000000)), 0)::text from wanted) as cents,
      (select json_agg(payer order by first) from (
        select payer, first from wanted order by first limit ${payersPerPage} offset ${(page - 1) * payersPerPage}) p) as payers`)
  const { left = 0, underWay = 0, held = 0, done = 0 } = row?.counts ?? {}
  const payers = row?.payers ?? []
  const books = await booksOf(db, eventNumber, payers)
  return {
    page,
    pages: Math.max(1, Math.ceil((row?.found ?? 0) / payersPerPage)),
    groups: { left, underWay, held, done },
    found: { payers: row?.found ?? 0, amount: Number(row?.cents ?? 0) },
    payers: payers.map((payer) => shownPayer(payer, books)),
  }
}

/** The books of some payers in one event. */
export type PayerBooks = {
  /** The rows of each payer, over all batches of the event. */
  rows: ReadonlyMap<Address, readonly PayerRow[]>
  /** What has reached each row. */
  refunds: ReadonlyMap<number | undefined, readonly OutTransfer[]>
}
type PayerRow = {
  payer: Address
  units: bigint
  account: Account | undefined
  row: ReturnType<typeof toDeskRow>
}

export async function booksOf(db: Db, eventNumber: number, payers: readonly Address[]): Promise<PayerBooks> {
  const batches = await db
    .select({ id: refundBatches.id, kind: refundBatches.kind })
    .from(refundBatches)
    .where(eq(refundBatches.eventNumber, eventNumber))
  const kinds = new Map(batches.map(({ id, kind }) => [id, kind]))
  const { rows, accounts, transfers, given } = await loadAccounts(db, payers)
  const unread = await unreadRows(db)
  const own = rows.flatMap((stored): PayerRow[] => {
    const kind = kinds.get(stored.batchId)
    const account = accounts.get(stored.id)
    const due = account?.due ?? stored.units
    const row = kind && toDeskRow(stored, kind, { due, isUnread: unread.has(stored.id) })
    return row ? [{ payer: stored.payer, units: stored.units, account, row }] : []
  })
  return {
    rows: Map.groupBy(own, ({ payer }) => payer),
    refunds: Map.groupBy(
      transfers.filter(({ notRefund }) => !notRefund),
      ({ rowId, key }) => rowId ?? given.get(key)?.rowId,
    ),
  }
}

/** One payer with the rows of the event's batches, and where the money is in all. */
export function shownPayer(payer: Address, { rows }: PayerBooks) {
  const own = rows.get(payer) ?? []
  const progress = own
    .map(({ units, account, row }) => progressOf({ ...row, units, due: account?.due ?? units }))
    .reduce(addProgress, noProgress)
  return { payer: getAddress(payer), ...asUnits(progress), rows: own.map(({ row }) => row) }
}

/** As decimal texts, as answers have it. */
const asUnits = ({ owed, paid, inFlight, held, left }: Progress) => ({
  owed: `${owed}`,
  paid: `${paid}`,
  inFlight: `${inFlight}`,
  held: `${held}`,
  left: `${left}`,
})
