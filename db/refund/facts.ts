/** What happened and what people decided; who is owed what follows from it by reading (`dues.ts`). */
import { and, asc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { releasable, type TransferMark } from '../../core/refund/rules.ts'
import { type FoundAnchor, noteAnchors } from '../draw/anchors.ts'
import { getSaleWallets, lockOpenEvent } from '../event/events.ts'
import { advanceCursor, type Cursor, getCursor, stopNow } from '../event/sale.ts'
import { addChange, bumpVersion } from '../event/terms.ts'
import type { Db } from '../index.ts'
import {
  events,
  operatorWallets,
  outgoingTransfers,
  payerCodes,
  payments,
  refundDecisions,
  refundReports,
  transferMarks,
} from '../schema/index.ts'
import { eachChunk, lineOf } from './lines.ts'

export type Outgoing = {
  transfers: (typeof outgoingTransfers.$inferInsert)[]
  anchors: FoundAnchor[]
}

/** A row has a dozen parameters, and a statement takes 65,535. */
const rowsAtOnce = 2_000

export const getOutgoingCursor = (db: Db): Promise<Cursor | undefined> => getCursor(db, 'outgoing')

/** False, with nothing written, when another worker has moved the cursor. Rows that are on record stay as they are. */
export async function recordOutgoing(
  db: Db,
  before: Cursor | undefined,
  after: Cursor,
  { transfers, anchors }: Outgoing,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // An anchor of the terms locks them.
    if (anchors.length > 0) await lockOpenEvent(tx)
    if (!(await advanceCursor(tx, 'outgoing', before, after))) return false
    await addTransfers(tx, transfers)
    await noteAnchors(tx, anchors)
    return true
  })
}

/** What has to be read, and since when at first: the first sale start. What a wallet sent before it was ours is not read. */
export async function dueWallets(db: Db) {
  const all = await db
    .select({ token: events.token, saleStart: events.saleStart })
    .from(events)
    .orderBy(asc(events.saleStart))
  return {
    wallets: (await getSaleWallets(db)).sort(),
    tokens: [...new Set(all.map(({ token }) => token))].sort(),
    since: all[0]?.saleStart ?? null,
  }
}

export async function noteCodes(db: Db, codes: { payer: Address; isContract: boolean }[]): Promise<void> {
  await db
    .insert(payerCodes)
    .values(codes)
    .onConflictDoUpdate({
      target: payerCodes.payer,
      set: { isContract: sql`excluded.is_contract` },
    })
}

export async function uncheckedPayers(db: Db, minUnits: bigint, limit: number): Promise<Address[]> {
  const payers: Address[] = []
  const where = (payer: SQL) => sql`not exists (select from payer_codes c where c.payer = ${payer})`
  for await (const found of eachChunk(db, { minUnits, state: 'held' }, where)) {
    payers.push(...found.filter(({ holds }) => holds.includes('unchecked')).map(({ payer }) => payer))
    if (payers.length >= limit) break
  }
  return payers.slice(0, limit)
}

/** A reported hash is a hint for an hour at most. */
export const isOpenReport = and(
  isNull(refundReports.finalAt),
  gt(refundReports.at, sql`clock_timestamp() - interval '1 hour'`),
)

export async function noteReport(db: Db, transactionHash: Hash, payers: readonly Address[]): Promise<void> {
  await db
    .insert(refundReports)
    .values({ transactionHash, payers: [...payers] })
    .onConflictDoUpdate({
      target: refundReports.transactionHash,
      set: { payers: sql`excluded.payers` },
      setWhere: sql`cardinality(excluded.payers) > 0`,
    })
}

export async function openReports(db: Db): Promise<Hash[]> {
  const rows = await db
    .select({ hash: refundReports.transactionHash })
    .from(refundReports)
    .where(isOpenReport)
  return rows.map(({ hash }) => hash)
}

export async function noteFinal(db: Db, transactionHash: Hash): Promise<void> {
  await db
    .update(refundReports)
    .set({ finalAt: sql`now()` })
    .where(and(eq(refundReports.transactionHash, transactionHash), isNull(refundReports.finalAt)))
}

type Mark = { transactionHash: Hash; wallet: Address; recipient: Address }
type Said = { markedAs: TransferMark | null; eventNumber?: number | null; place?: number | null }

/** What an administrator says that a transfer was for; null takes the mark back. */
export async function markTransfer(
  tx: Db,
  { markedAs, eventNumber = null, place = null, ...key }: Mark & Said,
): Promise<void> {
  await tx.delete(transferMarks).where(and(isOf(key), ne(transferMarks.markedAs, 'own')))
  if (markedAs) await tx.insert(transferMarks).values({ ...key, markedAs, eventNumber, place })
  await bumpVersion(tx)
}

const isOf = ({ transactionHash, wallet, recipient }: Mark): SQL | undefined =>
  and(
    eq(transferMarks.transactionHash, transactionHash),
    eq(transferMarks.wallet, wallet),
    eq(transferMarks.recipient, recipient),
  )

/** Marks a payment without a ticket as the operator's own money, or takes that back. False where there is no such payment. */
export async function markOwn(
  tx: Db,
  { transactionHash, payer, wallet }: { transactionHash: Hash; payer: Address; wallet: Address },
  isOwn: boolean,
): Promise<boolean> {
  const [payment] = await tx
    .select({ eventNumber: payments.eventNumber })
    .from(payments)
    .where(
      and(
        eq(payments.transactionHash, transactionHash),
        eq(payments.payer, payer),
        eq(payments.wallet, wallet),
        isNull(payments.ticketNumber),
      ),
    )
  if (!payment?.eventNumber) return false
  const key = { transactionHash, wallet, recipient: payer }
  if (isOwn)
    await tx
      .insert(transferMarks)
      .values({ ...key, markedAs: 'own' })
      .onConflictDoNothing()
  else await tx.delete(transferMarks).where(and(isOf(key), eq(transferMarks.markedAs, 'own')))
  const [from, to] = isOwn ? [null, transactionHash] : [transactionHash, null]
  await addChange(tx, payment.eventNumber, 'ownMoney', from, to)
  await bumpVersion(tx)
  return true
}

/** Marks whose transfer is not on record: a rewind took it, or it is of a wallet that is not ours. */
export async function wantedTransfers(db: Db): Promise<Mark[]> {
  const { transactionHash, wallet, recipient } = transferMarks
  return db
    .select({ transactionHash, wallet, recipient })
    .from(transferMarks)
    .where(
      sql`${transferMarks.markedAs} <> 'own' and not exists (select from ${outgoingTransfers} t where t.total is null
        and t.transaction_hash = ${transferMarks.transactionHash}
        and t.wallet = ${transferMarks.wallet} and t.recipient = ${transferMarks.recipient})`,
    )
}

export async function addTransfers(db: Db, transfers: Outgoing['transfers']): Promise<void> {
  for (let at = 0; at < transfers.length; at += rowsAtOnce)
    await db
      .insert(outgoingTransfers)
      .values(transfers.slice(at, at + rowsAtOnce))
      .onConflictDoNothing()
  if (transfers.length === 0) return
  await bumpVersion(db)
}

export async function holdPayer(tx: Db, payer: Address, note: string | null): Promise<void> {
  await tx.insert(refundDecisions).values({ payer, decision: 'hold', note })
}

/** Lifts the holds that stand on a payer's line and that a release can lift; they are answered. */
export async function releasePayer(tx: Db, payer: Address, note: string | null, minUnits: bigint) {
  const line = await lineOf(tx, payer, minUnits)
  const holds = (line?.holds ?? []).filter((hold) => releasable.includes(hold))
  if (holds.length > 0) await tx.insert(refundDecisions).values({ payer, decision: 'release', holds, note })
  return holds
}

/** The earliest date stands, and stops the sale that it still sells. Undefined for a wallet that never was ours. */
export async function reportStolen(tx: Db, wallet: Address, from: Date): Promise<Date | undefined> {
  const event = await lockOpenEvent(tx)
  const [row] = await tx
    .update(operatorWallets)
    .set({ stolenFrom: sql`least(${operatorWallets.stolenFrom}, ${from.toISOString()}::timestamptz)` })
    .where(eq(operatorWallets.address, wallet))
    .returning()
  if (!row?.stolenFrom) return undefined
  // Who holds its key is anybody.
  if (event?.operatorWallet === wallet)
    await tx.execute(sql`update events set wallet_proven_at = null where number = ${event.number}`)
  if (event?.operatorWallet === wallet && !event.hasEnded) await stopNow(tx, event)
  await bumpVersion(tx)
  return row.stolenFrom
}
