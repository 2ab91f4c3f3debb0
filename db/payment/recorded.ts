import { inArray, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { SaleRules } from '../../core/payment/judge.ts'
import type { Payment } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { payments } from '../schema/index.ts'
import { voidPayments } from './void.ts'

type Key = Pick<Payment, 'transactionHash' | 'payer' | 'wallet'>
const keyOf = ({ transactionHash, payer, wallet }: Key): string => `${transactionHash} ${payer} ${wallet}`

/** What is on record of these transactions, by transaction, payer and wallet. */
async function readRecorded(db: Db, hashes: readonly Hash[]) {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .select({
      id: payments.id,
      transactionHash: payments.transactionHash,
      payer: payments.payer,
      wallet: payments.wallet,
      eventNumber: payments.eventNumber,
      status: payments.status,
      blockHash: payments.blockHash,
    })
    .from(payments)
    .where(sql`${payments.transactionHash} = any(${sql.param([...hashes])}::text[])`)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** Those of `found` that are not on record. */
export async function notRecorded<T extends Payment>(db: Db, found: readonly T[]): Promise<T[]> {
  const known = await readRecorded(
    db,
    found.map((payment) => payment.transactionHash),
  )
  return found.filter((payment) => !known.has(keyOf(payment)))
}

/**
 * Those of `found` that are to be written. A part of the chain is read again after blocks were replaced below
 * finality: tickets of a closed event stay as they were drawn, and a payment without a ticket stays unless it
 * has moved to another block, where another rule may hold. A ticket of an open event is never skipped: writing
 * it a second time fails.
 */
export async function withoutKnown<T extends Payment>(
  tx: Db,
  found: readonly T[],
  { events }: SaleRules,
): Promise<T[]> {
  const known = await readRecorded(
    tx,
    found.map((payment) => payment.transactionHash),
  )
  if (known.size === 0) return [...found]
  const isClosed = new Set(events.filter((event) => event.isClosed).map(({ number }) => number))
  const moved: number[] = []
  const fresh = found.filter((payment) => {
    const row = known.get(keyOf(payment))
    if (!row) return true
    if (row.status === 'credited') return !isClosed.has(row.eventNumber)
    if (row.blockHash === payment.blockHash) return false
    moved.push(row.id)
    return true
  })
  if (moved.length > 0)
    await voidPayments(tx, inArray(payments.id, moved), 'its block was replaced below finality')
  return fresh
}
