import type { SQL } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { lockRefunds } from '../refund/accounts.ts'
import { recountRows, rowsOfPayments } from '../refund/links.ts'
import { payments, voidedPayments } from '../schema/index.ts'

/** A row has a dozen parameters, and a statement takes 65,535. */
const rowsAtOnce = 2_000

/**
 * Takes payments off the record, and notes what they were and which refund row had them: they return to it when
 * they are found again.
 */
export async function voidPayments(tx: Db, which: SQL | undefined, why: string) {
  await lockRefunds(tx)
  const rowIds = await rowsOfPayments(tx, which)
  const taken = await tx.delete(payments).where(which).returning()
  const voided = taken.map(
    ({ id, transactionHash, payer, wallet, eventNumber, units, blockNumber, blockHash, ...tickets }) => ({
      ...{ transactionHash, payer, wallet, eventNumber, units, blockNumber, blockHash },
      ...{ ticketNumber: tickets.ticketNumber, ticketCount: tickets.ticketCount },
      refundRowId: rowIds.get(id) ?? null,
      why,
    }),
  )
  for (let at = 0; at < voided.length; at += rowsAtOnce)
    await tx.insert(voidedPayments).values(voided.slice(at, at + rowsAtOnce))
  await recountRows(tx, [...new Set(rowIds.values())])
  return taken
}
