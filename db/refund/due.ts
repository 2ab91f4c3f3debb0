import { sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { isUnseenHolder } from '../prize/holders.ts'
import {
  prizes,
  refundBatches,
  refundReaddresses,
  refundRowPayments,
  refundRows,
  walletProofs,
} from '../schema/index.ts'
import { debtsOf } from './debts.ts'

type RefundWork = {
  /** Events whose batch lacks a payment or has lost one. */
  events: number[]
  /** Some payers or signatures have to be checked on chain. */
  mustAsk: boolean
  /** Some rows are not settled: the watch has to run often. */
  isOpen: boolean
}

/** Refund work that is due for the workers, found from the rows alone. */
export async function dueRefundWork(db: Db): Promise<RefundWork> {
  const [row] = await db.execute<{ events: number[] | null; ask: boolean; open: boolean }>(sql`
    select (
        select array_agg(b.event_number) from ${refundBatches} b where b.kind = 'event' and (
          exists (select 1 from ${debtsOf('event')} p where p.event_number = b.event_number
            and not exists (select 1 from ${refundRowPayments} l where l.payment_id = p.id and l.is_live))
          or exists (select 1 from ${refundRows} r where r.batch_id = b.id and r.units > 0
            and not exists (select 1 from ${refundRowPayments} l where l.row_id = r.id and l.is_live)))
      ) as events,
      exists (select 1 from ${refundRows} where checked_at is null) or exists (
        select 1 from ${refundReaddresses} where answered_at is null and expires_at > clock_timestamp()) or exists (
        select 1 from ${walletProofs} where answered_at is null and expires_at > clock_timestamp()) or exists (
        select 1 from ${prizes} where ${isUnseenHolder}) as ask,
      exists (select 1 from ${refundRows} where state <> 'settled') as open`)
  return { events: row?.events ?? [], mustAsk: row?.ask === true, isOpen: row?.open === true }
}
