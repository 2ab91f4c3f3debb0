import { and, eq, sql } from 'drizzle-orm'
import type { Payment, Verdict } from '../../core/payment.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

type JudgedPayment = Payment & Verdict & { blockTime: number }

/**
 * Writes final payments in the order given, which is chain order, and assigns the next ticket numbers. A
 * payment recorded before violates the unique key and fails the caller's transaction, so a range is never
 * folded twice. Returns the number of new tickets.
 */
export async function recordPayments(tx: Db, judged: readonly JudgedPayment[]): Promise<number> {
  if (judged.length === 0) return 0
  const sold = new Map<number, number>()
  for (const event of await tx
    .select({ number: events.number, ticketsSold: events.ticketsSold })
    .from(events)
    .for('update'))
    sold.set(event.number, event.ticketsSold)
  const before = total(sold)
  const ticketNumbers = judged.map((payment) => takeTickets(sold, payment))
  // A text that the server splits costs half of what an array costs; no value is empty or holds a comma.
  const column = (pick: (payment: JudgedPayment, index: number) => unknown) =>
    sql`string_to_array(${judged.map(pick).join()}, ',', '')`
  await tx.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, reason, ticket_number, ticket_count)
    select * from unnest(
      ${column((p) => p.transactionHash)}, ${column((p) => p.payer)}, ${column((p) => p.wallet)},
      ${column((p) => p.eventNumber)}::int[], ${column((p) => p.units)}::numeric[],
      ${column((p) => p.blockNumber)}::bigint[], ${column((p) => p.blockHash)},
      ${column((p) => new Date(p.blockTime * 1000).toISOString())}::timestamptz[],
      ${column((p) => p.transactionIndex)}::int[], ${column((p) => p.firstLogIndex)}::int[],
      ${column((p) => p.status)}, ${column((p) => p.reason)},
      ${column((_, index) => ticketNumbers[index])}::int[], ${column((p) => p.ticketCount)}::int[])`)
  for (const [number, ticketsSold] of sold)
    await tx
      .update(events)
      .set({ ticketsSold })
      .where(and(eq(events.number, number), sql`${events.ticketsSold} <> ${ticketsSold}`))
  return total(sold) - before
}

function takeTickets(sold: Map<number, number>, payment: JudgedPayment): number | null {
  if (payment.status !== 'credited' || payment.eventNumber === null) return null
  const taken = sold.get(payment.eventNumber) ?? 0
  sold.set(payment.eventNumber, taken + payment.ticketCount)
  return taken + 1
}

const total = (sold: Map<number, number>): number => [...sold.values()].reduce((sum, count) => sum + count, 0)
