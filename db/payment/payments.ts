import { and, eq, isNull, sql } from 'drizzle-orm'
import { type FoldedPayment, foldPayments, type SaleRules } from '../../core/payment/judge.ts'
import type { FoundPayment } from '../../core/payment/payment.ts'
import type { Db } from '../index.ts'
import { events } from '../schema/index.ts'

/**
 * Judges final payments in the order given, which is chain order, and writes them with the next ticket numbers.
 * Money that is none of ours is left out. A payment recorded before violates the unique key and fails the
 * caller's transaction, so a range is never folded twice. Returns what was written.
 */
export async function recordPayments(
  tx: Db,
  found: readonly FoundPayment[],
  rules: SaleRules,
): Promise<FoldedPayment[]> {
  if (found.length === 0) return []
  const sold = new Map<number, number>()
  // An archived event sells nothing more, and whoever prepares its refunds holds its row for long.
  for (const event of await tx
    .select({ number: events.number, ticketsSold: sql<number>`tickets_of(${events.number})` })
    .from(events)
    .where(isNull(events.archivedAt))
    .for('update'))
    sold.set(event.number, event.ticketsSold)
  const folded = foldPayments(found, rules, sold).filter(({ eventNumber }) => eventNumber !== null)
  // A text that the server splits costs half of what an array costs; no value is empty or holds a comma.
  const column = (pick: (payment: FoldedPayment) => unknown) =>
    sql`string_to_array(${folded.map(pick).join()}, ',', '')`
  await tx.execute(sql`
    insert into payments (transaction_hash, payer, wallet, event_number, token, units, block_number, block_hash, block_time,
      transaction_index, first_log_index, status, reason, ticket_number, ticket_count)
    select hash, payer, wallet, event_number, (select token from events where archived_at is null), units, block_number,
      block_hash, block_time, transaction_index, first_log_index, status, reason, ticket_number, ticket_count
    from unnest(
      ${column((p) => p.transactionHash)}, ${column((p) => p.payer)}, ${column((p) => p.wallet)},
      ${column((p) => p.eventNumber)}::int[], ${column((p) => p.units)}::numeric[],
      ${column((p) => p.blockNumber)}::bigint[], ${column((p) => p.blockHash)},
      ${column((p) => new Date(p.blockTime * 1000).toISOString())}::timestamptz[],
      ${column((p) => p.transactionIndex)}::int[], ${column((p) => p.firstLogIndex)}::int[],
      ${column((p) => p.status)}, ${column((p) => p.reason)},
      ${column((p) => p.ticketNumber)}::int[], ${column((p) => p.ticketCount)}::int[])
    as found (hash, payer, wallet, event_number, units, block_number, block_hash, block_time, transaction_index,
      first_log_index, status, reason, ticket_number, ticket_count)`)
  for (const [number, ticketsSold] of sold)
    await tx
      .update(events)
      .set({ ticketsSold })
      .where(and(eq(events.number, number), sql`${events.ticketsSold} <> ${ticketsSold}`))
  return folded
}
