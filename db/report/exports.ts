import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import type { PurchaseReport, WalletReport } from '../../core/live/public.ts'
import { centsOf } from '../../core/money.ts'
import type { RefundLine } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { getClaim } from '../payment/claims.ts'
import { eachRefundLine, refundsOf } from '../refund/dues.ts'
import { claims, events, payments } from '../schema/index.ts'

type Payment = typeof payments.$inferSelect
/** `accepted`: what the buyer told the site with the hash. */
export type ExportedPayment = Payment & Pick<typeof claims.$inferSelect, 'accepted'>
export type ExportedTicket = Pick<Payment, 'ticketNumber' | 'transactionHash' | 'units' | 'blockTime'>

const batch = 500

/** One snapshot of the database for a whole file, however long it takes; it blocks no writer. */
const snapshot = <T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(act, { isolationLevel: 'repeatable read', accessMode: 'read only' })

/** The credited payments of an event in order of their tickets: the rows of its ledger. */
export async function eachTicket(
  db: Db,
  eventNumber: number,
  take: (rows: readonly ExportedTicket[]) => Promise<void>,
): Promise<void> {
  await snapshot(db, async (tx) => {
    const { ticketNumber, transactionHash, units, blockTime } = payments
    for (let last = 0; ; ) {
      const rows = await tx
        .select({ ticketNumber, transactionHash, units, blockTime })
        .from(payments)
        .where(and(eq(payments.eventNumber, eventNumber), isNotNull(ticketNumber), gt(ticketNumber, last)))
        .orderBy(asc(ticketNumber))
        .limit(batch)
      await take(rows)
      if (rows.length < batch) return
      last = rows.at(-1)?.ticketNumber as number
    }
  })
}

/** Every payment of an event, also those without tickets, in the order they were recorded. */
export async function eachPayment(
  db: Db,
  eventNumber: number,
  take: (rows: readonly ExportedPayment[]) => Promise<void>,
): Promise<void> {
  await snapshot(db, async (tx) => {
    for (let last = 0; ; ) {
      const rows = await tx
        .select({ ...getTableColumns(payments), accepted: claims.accepted })
        .from(payments)
        .leftJoin(claims, eq(claims.transactionHash, payments.transactionHash))
        .where(and(eq(payments.eventNumber, eventNumber), gt(payments.id, last)))
        .orderBy(asc(payments.id))
        .limit(batch)
      await take(rows)
      if (rows.length < batch) return
      last = rows.at(-1)?.id as number
    }
  })
}

/** Who is owed something, or received it, a line a payer; with `eventNumber` only those who are owed something in that event. */
export async function eachRefund(
  db: Db,
  { eventNumber, minUnits }: { eventNumber: number; minUnits: bigint },
  take: (rows: readonly RefundLine[]) => Promise<void>,
): Promise<void> {
  await snapshot(db, async (tx) => {
    let lines: RefundLine[] = []
    for await (const line of eachRefundLine(tx, minUnits, eventNumber || undefined)) {
      lines.push(line)
      if (lines.length < batch) continue
      await take(lines)
      lines = []
    }
    await take(lines)
  })
}

/** The state of a transaction; undefined if it was never reported and no payment of it was seen. */
export async function reportPurchase(db: Db, hash: Hash): Promise<PurchaseReport | undefined> {
  const claim = await getClaim(db, hash)
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.transactionHash, hash))
    .orderBy(asc(payments.firstLogIndex))
  if (rows.length > 0) {
    const credited = rows.some(({ status }) => status === 'credited')
    const refunds = await refundsOf(
      db,
      rows.map(({ id }) => id),
    )
    return {
      transactionHash: hash,
      status: credited ? 'credited' : 'rejected',
      reason: credited ? null : (rows[0]?.reason ?? null),
      payments: rows.map((row) => ({
        walletAddress: getAddress(row.payer),
        status: row.status,
        reason: row.reason,
        ticketNumber: row.ticketNumber,
        ticketCount: row.ticketCount,
        amount: Number(centsOf(row.units)),
        refund: refunds.get(row.id) ?? null,
      })),
    }
  }
  if (!claim) return undefined
  return {
    transactionHash: hash,
    status: claim.status,
    reason: claim.reason,
    payments: claim.seen.map((seen) => ({
      walletAddress: getAddress(seen.payer),
      status: claim.status,
      reason: claim.reason,
      ticketNumber: null,
      ticketCount: 0,
      amount: Number(centsOf(BigInt(seen.units))),
      refund: null,
    })),
  }
}

/** Payments of a wallet in every event, newest first, and how many tickets they bought in the current one. */
export async function listWalletPayments(db: Db, payer: Address): Promise<WalletReport> {
  const rows = await db
    .select()
    .from(payments)
    .where(eq(payments.payer, payer))
    .orderBy(desc(payments.blockNumber), desc(payments.transactionIndex))
    .limit(walletLimit)
  const refunds = await refundsOf(
    db,
    rows.map(({ id }) => id),
  )
  const [sum] = await db
    .select({ tickets: sql<number>`coalesce(sum(${payments.ticketCount}), 0)::int` })
    .from(payments)
    .innerJoin(events, and(eq(events.number, payments.eventNumber), isNull(events.archivedAt)))
    .where(eq(payments.payer, payer))
  return {
    walletAddress: getAddress(payer),
    ticketCount: sum?.tickets ?? 0,
    payments: rows.map((payment) => ({
      eventNumber: payment.eventNumber,
      transactionHash: payment.transactionHash,
      status: payment.status,
      reason: payment.reason,
      ticketNumber: payment.ticketNumber,
      ticketCount: payment.ticketCount,
      amount: Number(centsOf(payment.units)),
      createdAt: payment.blockTime.toISOString(),
      refund: refunds.get(payment.id) ?? null,
    })),
  }
}

/** Enough for a person; a wallet with more purchases finds them all in the ledger file. */
const walletLimit = 500
