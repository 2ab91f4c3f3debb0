import { and, asc, eq, getTableColumns, gt, isNotNull } from 'drizzle-orm'
import type { RefundLine } from '../../core/refund/rules.ts'
import { type Db, snapshot } from '../index.ts'
import { eachRefundLine } from '../refund/dues.ts'
import { claims, payments } from '../schema/index.ts'

type Payment = typeof payments.$inferSelect
/** `accepted`: what the buyer told the site with the hash. */
export type ExportedPayment = Payment & Pick<typeof claims.$inferSelect, 'accepted'>
export type ExportedTicket = Pick<Payment, 'ticketNumber' | 'transactionHash' | 'units' | 'blockTime'>

const batch = 500

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
