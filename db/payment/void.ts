import { type SQL, sql } from 'drizzle-orm'
import type { Hash } from 'viem'
import type { Db } from '../index.ts'
import { claims, payments, voidedPayments } from '../schema/index.ts'

/** A row has a dozen parameters, and a statement takes 65,535. */
const rowsAtOnce = 2_000

/**
 * Takes payments off the record, to be judged anew when the scan finds them again, and notes what they were. The caller
 * holds the event's lock and moves the cursor.
 */
export async function voidPayments(tx: Db, which: SQL | undefined, why: string) {
  const taken = await tx.delete(payments).where(which).returning()
  const voided = taken.map(
    ({ transactionHash, payer, wallet, eventNumber, units, blockNumber, blockHash, ...tickets }) => ({
      ...{ transactionHash, payer, wallet, eventNumber, units, blockNumber, blockHash },
      ...{ ticketNumber: tickets.ticketNumber, ticketCount: tickets.ticketCount },
      why,
    }),
  )
  for (let at = 0; at < voided.length; at += rowsAtOnce)
    await tx.insert(voidedPayments).values(voided.slice(at, at + rowsAtOnce))
  await reopenClaims(
    tx,
    taken.map((payment) => payment.transactionHash),
  )
  return taken
}

/** The scan or the verification resolves them again. */
async function reopenClaims(tx: Db, hashes: readonly Hash[]): Promise<void> {
  await tx
    .update(claims)
    .set({ status: 'received', reason: null, nextAttemptAt: sql`now()` })
    .where(sql`${claims.transactionHash} = any(${sql.param([...hashes])}::text[])`)
}
