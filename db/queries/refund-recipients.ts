import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import type { RefundState } from '../../core/refund.ts'
import type { Db } from '../index.ts'
import { payments, refundBatches, refundRowPayments, refundRows } from '../schema.ts'

/** One line of the recipient list: what a payer gets back, prepared or not. */
export type RefundRecipient = {
  payer: Address
  recipient: Address
  payments: number
  tickets: number
  /** Hundredths of a USDT, rounded down. */
  amount: number
  units: string
  state: RefundState | 'unprepared'
  reason: string | null
  transactionHash: Hash | null
}

type Line = Omit<RefundRecipient, 'amount'> & { amount: string }

/**
 * Everybody who gets money of this event back, in pages by payer; the next page starts after the last payer of
 * this one. In refund mode that is every payment, else those without a ticket.
 */
export async function listRefundRecipients(
  db: Db,
  eventNumber: number,
  { isRefundMode, after = '', limit = 1_000 }: { isRefundMode: boolean; after?: string; limit?: number },
): Promise<RefundRecipient[]> {
  const lines = await db.execute<Line>(sql`
    select p.payer, coalesce(r.recipient, p.payer) as recipient, count(*)::int as payments,
      sum(p.ticket_count)::int as tickets, div(sum(p.units), 10000000000000000)::text as amount,
      sum(p.units)::text as units, coalesce(r.state, 'unprepared') as state,
      case when r.released_at is null then coalesce(r.hold, r.reason) else r.reason end as reason,
      r.transaction_hash as "transactionHash"
    from ${payments} p
    left join ${refundRowPayments} l on l.payment_id = p.id and l.is_live
    left join ${refundRows} r on r.id = l.row_id
    left join ${refundBatches} b on b.id = r.batch_id
    where p.event_number = ${eventNumber} and p.reason is distinct from 'held' and p.payer > ${after}
      and (${isRefundMode} or p.status = 'rejected')
    group by p.payer, r.id
    order by p.payer, r.id limit ${limit}`)
  return lines.map((line) => ({
    ...line,
    payer: getAddress(line.payer),
    recipient: getAddress(line.recipient),
    amount: Number(line.amount),
  }))
}
