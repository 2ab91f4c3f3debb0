import { eq, sql } from 'drizzle-orm'
import { locked } from '../../core/event-locks.ts'
import type { Db } from '../index.ts'
import { draws, events, refundBatches } from '../schema/index.ts'
import { type EnvTerms, type Event, nextSaleStart, termsFromEnv, watchWallet } from './events.ts'

/** An event is over when it was drawn, its refunds were prepared, or it ended without a ticket. */
export async function isOver(tx: Db, event: Event): Promise<boolean> {
  const [row] = await tx.execute<{ drawn: boolean; drawing: boolean; refunded: boolean; due: boolean }>(sql`
    select exists (select 1 from ${draws} where event_number = ${event.number}) as drawn,
      exists (select 1 from ${draws} where event_number = ${event.number} and greatest(drawn_at, ${event.redrawnAt?.toISOString() ?? null}::timestamptz) + interval '10 seconds' > now()) as drawing,
      exists (select 1 from ${refundBatches} where event_number = ${event.number} and kind = 'event') as refunded,
      (select draw_date <= now() or (stopped_at is not null and frozen_at is not null)
        from ${events} where number = ${event.number}) as due`)
  // The archive shows the winner, so it must wait until the drawing has ended.
  if (row?.drawing) throw locked('drawDate', '추첨을 발표하고 있습니다. 10초 뒤에 다시 시도하세요.')
  return (
    row?.drawn === true ||
    row?.refunded === true ||
    (row?.due === true && event.frozenAt !== null && event.ticketsSold === 0)
  )
}

/**
 * Archives an event that is over and opens the next one, with the terms of the environment. Its revision goes on from the
 * event before, so a form that was filled before the archive is never taken for this one's.
 */
export async function openNext(tx: Db, over: Event, terms: EnvTerms, minTickets?: number): Promise<Event> {
  const revision = over.revision + 1
  await tx
    .update(events)
    .set({ archivedAt: sql`now()`, refundNotice: false, revision })
    .where(eq(events.number, over.number))
  const fromEnv = termsFromEnv(terms)
  const operatorWallet = fromEnv.operatorWallet ?? over.operatorWallet
  if (operatorWallet) await watchWallet(tx, operatorWallet)
  const [next] = await tx
    .insert(events)
    .values({
      ...fromEnv,
      number: over.number + 1,
      operatorWallet,
      minTickets: minTickets ?? over.minTickets,
      saleStart: nextSaleStart,
      googleFormUrl: over.googleFormUrl,
      revision,
    })
    .returning()
  return next as Event
}
