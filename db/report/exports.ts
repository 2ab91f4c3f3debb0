import { and, asc, eq, getTableColumns, gt } from 'drizzle-orm'
import { type Db, snapshot } from '../index.ts'
import { type RefundLine, shownChunks } from '../refund/lines.ts'
import { claims, payments } from '../schema/index.ts'

type Payment = typeof payments.$inferSelect
/** `accepted`: what the buyer told the site with the hash. */
export type ExportedPayment = Payment & Pick<typeof claims.$inferSelect, 'accepted'>
export type ExportedTicket = Pick<Payment, 'ticketNumber' | 'transactionHash' | 'units' | 'blockTime'>

const batch = 500

type Take<R> = (rows: readonly R[]) => Promise<void>

/** All at one moment; `page` answers the rows after the key `last`. */
const eachRow = <R>(
  db: Db,
  take: Take<R>,
  page: (tx: Db, last: number) => Promise<R[]>,
  keyOf: (row: R) => number | null,
): Promise<void> =>
  snapshot(db, async (tx) => {
    for (let last = 0; ; ) {
      const rows = await page(tx, last)
      await take(rows)
      if (rows.length < batch) return
      last = keyOf(rows.at(-1) as R) as number
    }
  })

const { ticketNumber, transactionHash, units, blockTime } = payments

export const eachTicket = (db: Db, eventNumber: number, take: Take<ExportedTicket>): Promise<void> =>
  eachRow(
    db,
    take,
    (tx, last) =>
      tx
        .select({ ticketNumber, transactionHash, units, blockTime })
        .from(payments)
        .where(and(eq(payments.eventNumber, eventNumber), gt(ticketNumber, last)))
        .orderBy(asc(ticketNumber))
        .limit(batch),
    (row) => row.ticketNumber,
  )

export const eachPayment = (db: Db, eventNumber: number, take: Take<ExportedPayment>): Promise<void> =>
  eachRow(
    db,
    take,
    (tx, last) =>
      tx
        .select({ ...getTableColumns(payments), accepted: claims.accepted })
        .from(payments)
        .leftJoin(claims, eq(claims.transactionHash, payments.transactionHash))
        .where(and(eq(payments.eventNumber, eventNumber), gt(payments.id, last)))
        .orderBy(asc(payments.id))
        .limit(batch),
    (row) => row.id,
  )

/** Who is owed something, or received it, a line a payer; with `eventNumber` only those who are owed something in that event. */
export async function eachRefund(
  db: Db,
  { eventNumber, minUnits }: { eventNumber: number; minUnits: bigint },
  take: Take<RefundLine>,
): Promise<void> {
  await snapshot(db, async (tx) => {
    const filter = { minUnits, event: eventNumber || undefined }
    for await (const lines of shownChunks(tx, filter, { atOnce: 1_000 })) await take(lines)
  })
}
