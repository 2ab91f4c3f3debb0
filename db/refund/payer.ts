import { and, asc, eq, inArray, not, or, sql } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { RaffleError } from '../../core/errors.ts'
import { centsOf } from '../../core/money.ts'
import { getEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import {
  operatorTransfers,
  payments,
  refundRowPayments,
  refundRows,
  registerEntries,
} from '../schema/index.ts'
import { booksOf, shownPayer } from './payers.ts'

/**
 * All that the books of an event hold about one payer: the rows of every batch, each payment in, each transfer out
 * with what it counts as, and what the register remembers. Throws NOT_FOUND for an event or a payer without a row.
 */
export async function readPayer(db: Db, eventNumber: number, payer: Address) {
  const event = await getEvent(db, eventNumber)
  const books = await booksOf(db, eventNumber, [payer])
  const shown = shownPayer(payer, books)
  if (!event || shown.rows.length === 0) throw new RaffleError('NOT_FOUND', '해당 환불 항목이 없습니다.')
  const ids = shown.rows.map(({ id }) => id)
  const facts = await db.select().from(refundRows).where(inArray(refundRows.id, ids))
  return {
    ...shown,
    token: getAddress(event.token),
    rows: shown.rows.map((row) => ({ ...row, ...factsOf(facts.find(({ id }) => id === row.id)) })),
    payments: await paymentsOf(db, ids),
    transfers: await transfersOf(
      db,
      ids,
      payer,
      facts.map(({ recipient }) => recipient),
    ),
    register: await registerOf(db, payer, event.token),
  }
}

/** What a row has gone through. */
const factsOf = (row: typeof refundRows.$inferSelect | undefined) => ({
  releasedAt: row?.releasedAt?.toISOString() ?? null,
  settledAt: row?.settledAt?.toISOString() ?? null,
})

async function paymentsOf(db: Db, rowIds: readonly number[]) {
  const rows = await db
    .select({ payment: payments, rowId: refundRowPayments.rowId, paidBy: refundRowPayments.paidBy })
    .from(refundRowPayments)
    .innerJoin(payments, eq(payments.id, refundRowPayments.paymentId))
    .where(and(inArray(refundRowPayments.rowId, [...rowIds]), refundRowPayments.isLive))
    .orderBy(asc(payments.blockNumber), asc(payments.firstLogIndex))
  return rows.map(({ payment, rowId, paidBy }) => ({
    rowId,
    transactionHash: payment.transactionHash,
    wallet: getAddress(payment.wallet),
    paidBy: paidBy && getAddress(paidBy),
    units: `${payment.units}`,
    amount: Number(centsOf(payment.units)),
    ticketCount: payment.ticketCount,
    reason: payment.reason,
    blockNumber: Number(payment.blockNumber),
    at: payment.blockTime.toISOString(),
  }))
}

/** Allocated to these rows, paid by the register for this payer, or to none though they went to an address of his. */
async function transfersOf(
  db: Db,
  rowIds: readonly number[],
  payer: Address,
  recipients: readonly Address[],
) {
  const rows = await db
    .select()
    .from(operatorTransfers)
    .where(
      and(
        not(operatorTransfers.isGone),
        or(
          inArray(operatorTransfers.rowId, [...rowIds]),
          eq(operatorTransfers.debtor, payer),
          and(
            sql`${operatorTransfers.rowId} is null`,
            inArray(operatorTransfers.recipient, [payer, ...recipients]),
          ),
        ),
      ),
    )
    .orderBy(asc(operatorTransfers.blockNumber), asc(operatorTransfers.logPosition))
  return rows.map((transfer) => ({
    transactionHash: transfer.transactionHash,
    position: transfer.logPosition,
    rowId: transfer.rowId,
    wallet: getAddress(transfer.wallet),
    to: getAddress(transfer.recipient),
    token: getAddress(transfer.token),
    units: `${transfer.units}`,
    amount: Number(centsOf(transfer.units)),
    viaRegister: transfer.debtor !== null,
    notRefund: transfer.notRefund,
    blockNumber: Number(transfer.blockNumber),
    at: transfer.blockTime.toISOString(),
  }))
}

/** What the register has logged about this payer, of every wallet of ours. */
async function registerOf(db: Db, debtor: Address, token: Address) {
  const rows = await db
    .select()
    .from(registerEntries)
    .where(
      and(eq(registerEntries.debtor, debtor), eq(registerEntries.token, token), not(registerEntries.isGone)),
    )
    .orderBy(asc(registerEntries.blockNumber), asc(registerEntries.logPosition))
  return rows.map((entry) => ({
    transactionHash: entry.transactionHash,
    position: entry.logPosition,
    kind: entry.kind,
    wallet: getAddress(entry.wallet),
    to: entry.payee && getAddress(entry.payee),
    units: `${entry.units}`,
    total: `${entry.total}`,
    blockNumber: Number(entry.blockNumber),
    at: entry.blockTime.toISOString(),
  }))
}
