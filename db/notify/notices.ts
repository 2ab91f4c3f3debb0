import { sql } from 'drizzle-orm'
import { unitsOf } from '../../core/money.ts'
import type { Db } from '../index.ts'
import { listRefundHistory, loadOpenRefunds } from '../refund/dues.ts'
import { endings, events, notifications, scanCursor } from '../schema/index.ts'

/** A sale ends with time, so no transaction makes it happen. Safe to run twice and by many workers. */
export async function noteSaleEnd(db: Db): Promise<void> {
  await db.execute(sql`
    insert into ${notifications} (kind, subject, event_number, facts)
    select 'sale_ended', e.number::text, e.number, jsonb_build_object('ticketsSold', e.tickets_sold)
    from ${events} e
    where e.archived_at is null and e.stopped_at is null
      and e.sale_end <= (select coalesce(newest_block_time, block_time) from ${scanCursor})
      and ${isNew(sql`'sale_ended'`, sql`e.number::text`)}
    on conflict do nothing`)
}

/** That every payer with a ticket has his money back, once for each event. Safe to run twice and by many workers. */
export async function noteRefundsDone(db: Db): Promise<void> {
  const untold = await db.execute<{ number: number }>(sql`
    select o.event_number as number from ${endings} o
    where o.kind = 'refunds' and ${isNew(sql`'refunds_done'`, sql`o.event_number::text`)}`)
  if (untold.length === 0) return
  const open = (await loadOpenRefunds(db)).map(({ eventNumber }) => eventNumber)
  const done = untold.map(({ number }) => number).filter((number) => !open.includes(number))
  if (done.length === 0) return
  for (const { eventNumber, settled, settledAmount } of await listRefundHistory(db))
    if (done.includes(eventNumber))
      await db
        .insert(notifications)
        .values({
          ...{ kind: 'refunds_done', subject: `${eventNumber}`, eventNumber },
          facts: { payers: settled, units: `${unitsOf(settledAmount)}` },
        })
        .onConflictDoNothing()
}

const isNew = (kind: ReturnType<typeof sql>, subject: ReturnType<typeof sql>) =>
  sql`not exists (select from ${notifications} n where n.kind = ${kind} and n.subject = ${subject})`
