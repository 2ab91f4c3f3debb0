import { and, eq, isNull, sql } from 'drizzle-orm'
import type { DrawFacts } from '../../core/draw/rules.ts'
import { type Event, getOpenEvent } from '../event/events.ts'
import type { Db } from '../index.ts'
import { draws, events, refundBatches, workerRequests } from '../schema/index.ts'

/** The open event and the facts that decide about its draw; `isDue` by the database's clock. */
export async function getDrawFacts(db: Db): Promise<{ event: Event; facts: DrawFacts } | undefined> {
  const event = await getOpenEvent(db)
  return event && { event, facts: await factsOf(db, event) }
}

/** What decides about the draw of an event; `isDue` by the database's clock. */
export async function factsOf(db: Db, event: Event): Promise<DrawFacts> {
  const [row] = await db.execute<{ due: boolean | null; drawn: boolean; batch: boolean }>(sql`
    select (select draw_date <= clock_timestamp() from ${events} where number = ${event.number}) as due,
      exists (select 1 from ${draws} where event_number = ${event.number}) as drawn,
      exists (select 1 from ${refundBatches} where event_number = ${event.number} and kind = 'event') as batch`)
  return {
    isDue: row?.due === true,
    isFrozen: event.frozenAt !== null,
    isHalted: event.haltedAt !== null,
    ticketsSold: event.ticketsSold,
    minTickets: event.minTickets,
    isRefunded: event.refundModeAt !== null || row?.batch === true,
    isDrawn: row?.drawn === true,
  }
}

/**
 * Events that need a worker: a caller waits for a draw, or the draw date has passed without a winner or
 * refund mode. With `autoDraw` off, an event that could be drawn waits.
 */
export async function dueDraws(db: Db, { autoDraw }: { autoDraw: boolean }): Promise<number[]> {
  const rows = await db
    .select({ number: events.number })
    .from(events)
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(
      and(
        isNull(events.archivedAt),
        sql`(
          exists (select 1 from ${workerRequests} where ${workerRequests.eventNumber} = ${events.number} and ${workerRequests.kind} = 'draw'
            and ${workerRequests.answeredAt} is null and ${workerRequests.expiresAt} > now())
          or (${events.drawDate} <= now() and ${draws.eventNumber} is null and ${events.refundModeAt} is null
            and ${events.haltedAt} is null and ${events.frozenAt} is not null and ${events.ticketsSold} > 0
            and (${autoDraw} or ${events.ticketsSold} < ${events.minTickets})))`,
      ),
    )
  return rows.map((row) => row.number)
}
