import { sql } from 'drizzle-orm'
import type { Address, Hash } from 'viem'
import { dayOf, type Mark, type Marked, markKey } from '../../core/books/marks.ts'
import type { TransferMark } from '../../core/refund/classes.ts'
import type { Db } from '../index.ts'
import { audit, operatorTransfers } from '../schema/index.ts'

type Row = {
  transactionHash: Hash
  wallet: Address
  counterparty: Address
  units: string
  logIndex: number | null
  at: string
  markedAs: TransferMark | null
}

/** Transfers that administrators have marked, with the time of each mark as the audit list has it: few. */
export async function markedTransfers(db: Db): Promise<Marked> {
  const rows = await db.execute<Row>(sql`
    select t.transaction_hash as "transactionHash", t.wallet, t.recipient as counterparty, t.units::text as units,
      t.log_index as "logIndex", extract(epoch from a.at)::bigint::text as at, a.after->>'markedAs' as "markedAs"
    from ${audit} a join ${operatorTransfers} t
      on t.transaction_hash = a.after->>'transactionHash' and t.log_position = (a.after->>'position')::int and not t.is_gone
    where a.action = 'refund.transfer' and a.outcome = '200'
    order by a.id`)
  const of = new Map<string, Mark[]>()
  const days = new Map<number, number>()
  for (const { at: seconds, markedAs, units, ...place } of rows) {
    const at = Number(seconds)
    const key = markKey({ ...place, units: BigInt(units) })
    of.set(key, [...(of.get(key) ?? []), { at, markedAs }])
    days.set(dayOf(at), Math.max(at, days.get(dayOf(at)) ?? at))
  }
  return {
    of,
    days: [...days].map(([day, at]) => ({ day, at })).sort((a, b) => a.day - b.day),
  }
}
