import { sql } from 'drizzle-orm'
import { listRefundRows } from '../../../db/refund/list.ts'
import type { Broken } from './invariants.ts'
import type { World } from './world.ts'

/** I42: what the desk would once have handed to a wallet has no tickets later, unless all of the event goes back. */
export async function brokenRefunds(world: World): Promise<Broken[]> {
  const { db, payable } = world
  for (const { number } of await db.execute<{ number: number }>(sql`select number from events`))
    for (const { row } of await listRefundRows(db, { kind: 'leftover', eventNumber: number }))
      if (row.reason !== 'unread') await noteRow(world, row.id)
  const credited = await db.execute<{ key: string }>(sql`
    select ${key} as key from payments p join events e on e.number = p.event_number
    where p.ticket_number is not null and e.refund_mode_at is null`)
  const both = credited.filter((each) => payable.has(each.key))
  return both.length > 0 ? [{ name: 'I42 money and tickets', saw: JSON.stringify(both) }] : []
}

const key = sql`concat_ws(' ', p.transaction_hash, p.payer, p.wallet)`

async function noteRow({ db, payable }: World, row: number): Promise<void> {
  const paid = await db.execute<{ key: string }>(sql`
    select ${key} as key from refund_row_payments l join payments p on p.id = l.payment_id
    where l.row_id = ${row} and l.is_live`)
  for (const each of paid) payable.add(each.key)
}
