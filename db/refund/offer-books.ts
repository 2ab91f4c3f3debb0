import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Address, zeroAddress } from 'viem'
import { register } from '../../core/chain/register.ts'
import type { Part } from '../../core/refund/books.ts'
import { isOfferable } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { events, payments, refundBatches, refundRowPayments, refundRows } from '../schema/index.ts'
import { isInFlight, type LoadedRow, loadAccounts } from './accounts.ts'
import { toRefundRow } from './list.ts'
import { type Fits, loadFits } from './memory.ts'
import { provenWallets } from './own-wallets.ts'
import { unreadRows } from './unread.ts'

/** What an offer to one wallet is decided on. */
export type OfferBooks = {
  wallet: Address
  /** The rows that were asked for, by their ids. */
  asked: readonly LoadedRow[]
  /** Every row of their payers, and of whoever shares an address with them. */
  rows: readonly LoadedRow[]
  fits: Fits
  /** What wallets of ours still owe by a row, token by token. */
  openOf: (row: LoadedRow) => readonly Part[]
  /** The token of its event. */
  tokenOf: (row: LoadedRow) => Address | undefined
  /** Nothing speaks against the row, apart from what is in flight and from who owes it. */
  isSound: (row: LoadedRow) => boolean
}

export async function loadOfferBooks(
  tx: Db,
  { ids, wallet }: { ids: readonly number[]; wallet: Address },
): Promise<OfferBooks> {
  const payers = await tx
    .selectDistinctOn([refundRows.payer], { payer: refundRows.payer })
    .from(refundRows)
    .where(inArray(refundRows.id, [...ids]))
  const books = await loadAccounts(
    tx,
    payers.map(({ payer }) => payer),
  )
  const fits = await loadFits(tx, books)
  const stale = await staleRows(tx, books.rows)
  const unread = await unreadRows(tx)
  const graves = await noPayees(tx, wallet)
  const wanted = new Set(ids)
  const tokens = await tokensOf(tx, books.rows)
  const openOf = ({ id }: LoadedRow) => books.accounts.get(id)?.parts.filter(({ due }) => due > 0n) ?? []
  return {
    wallet,
    asked: books.rows.filter(({ id }) => wanted.has(id)),
    rows: books.rows,
    ...{ fits, openOf },
    tokenOf: ({ batchId }) => tokens.get(batchId),
    isSound: (row) =>
      openOf(row).every(
        ({ token }) => token !== row.recipient && !fits.isAhead({ token, debtor: row.payer }),
      ) &&
      !graves.has(row.recipient) &&
      !stale.has(row.id) &&
      !unread.has(row.id) &&
      isOfferable(toRefundRow(isInFlight(row) ? { ...row, state: 'planned' } : row)),
  }
}

async function tokensOf(tx: Db, rows: readonly LoadedRow[]): Promise<Map<number, Address>> {
  const ids = sql.param([...new Set(rows.map(({ batchId }) => `${batchId}`))])
  const found = await tx
    .select({ id: refundBatches.id, token: events.token })
    .from(refundBatches)
    .innerJoin(events, eq(events.number, refundBatches.eventNumber))
    .where(sql`${refundBatches.id} = any(${ids}::text[]::bigint[])`)
  return new Map(found.map(({ id, token }) => [id, token]))
}

/** Rows whose payments a reorg has removed since they were counted. */
async function staleRows(tx: Db, rows: readonly LoadedRow[]): Promise<Set<number>> {
  const ids = sql.param(rows.map(({ id }) => `${id}`))
  const found = await tx
    .select({ id: refundRows.id })
    .from(refundRows)
    .leftJoin(refundRowPayments, and(eq(refundRowPayments.rowId, refundRows.id), refundRowPayments.isLive))
    .leftJoin(payments, eq(payments.id, refundRowPayments.paymentId))
    .where(sql`${refundRows.id} = any(${ids}::text[]::bigint[])`)
    .groupBy(refundRows.id)
    .having(sql`coalesce(sum(${payments.units}), 0) <> ${refundRows.units}`)
  return new Set(found.map((row) => row.id))
}

/**
 * Where no refund can arrive. A wallet that only stood in an event and never signed may be a stranger's, who gets his
 * money back like anybody else.
 */
async function noPayees(tx: Db, wallet: Address): Promise<Set<string>> {
  const ours = await provenWallets(tx)
  return new Set([...ours, ...[wallet, zeroAddress, register.address.toLowerCase()]])
}
