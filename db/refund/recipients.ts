import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hash } from 'viem'
import type { RefundState } from '../../core/refund/rules.ts'
import type { Db } from '../index.ts'
import { refundRowPayments, refundRows } from '../schema/index.ts'
import { debtsOf } from './debts.ts'

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

type Line = Omit<RefundRecipient, 'amount'> & { amount: string; rowId: string }
type Place = { payer: string; rowId: string }

/**
 * Everybody who gets money of this event back, a line for each payer and row of the desk, handed on in pages. In
 * refund mode and before it is known whether it comes that is every payment, with `isLeftover` those without a ticket.
 */
export async function eachRefundRecipient(
  db: Db,
  {
    eventNumber,
    isLeftover = false,
    limit = 500,
  }: { eventNumber: number; isLeftover?: boolean; limit?: number },
  take: (rows: readonly RefundRecipient[]) => Promise<void>,
): Promise<void> {
  for (let after: Place = { payer: '', rowId: '0' }; ; ) {
    const lines = await db.execute<Line>(sql`
      select p.payer, coalesce(r.id, 0)::text as "rowId", coalesce(r.recipient, p.payer) as recipient,
        count(*)::int as payments, sum(p.ticket_count)::int as tickets,
        div(sum(p.units), 10000000000000000)::text as amount, sum(p.units)::text as units,
        coalesce(r.state, 'unprepared') as state,
        case when ${isLeftover} and bool_or(p.is_unread) and coalesce(r.state, 'planned') in ('planned', 'failed') then 'unread'
          when r.released_at is null then coalesce(r.hold, r.reason) else r.reason end as reason,
        r.transaction_hash as "transactionHash"
      from ${debtsOf(isLeftover ? 'leftover' : 'event')} p
      left join ${refundRowPayments} l on l.payment_id = p.id and l.is_live
      left join ${refundRows} r on r.id = l.row_id
      where p.event_number = ${eventNumber}
        and (p.payer, coalesce(r.id, 0)) > (${after.payer}, ${after.rowId}::bigint)
        and (${!isLeftover} or p.status = 'rejected')
      group by p.payer, r.id
      order by p.payer, coalesce(r.id, 0) limit ${limit}`)
    await take(
      lines.map(({ rowId: _, ...line }) => ({
        ...line,
        payer: getAddress(line.payer),
        recipient: getAddress(line.recipient),
        amount: Number(line.amount),
      })),
    )
    const last = lines.at(-1)
    if (!last || lines.length < limit) return
    after = last
  }
}
