import { and, eq } from 'drizzle-orm'
import { termsLine } from '../../core/event/terms.ts'
import type { Db } from '../index.ts'
import { payments } from '../schema/index.ts'
import type { Event } from './events.ts'
import { ownWalletsBefore } from './own-wallets.ts'

/** The terms line of an event: the frozen one, else what it promises now. */
export async function termsOf(db: Db, event: Event): Promise<string> {
  if (event.terms !== null) return event.terms
  return termsLine({
    ...event,
    eventNumber: event.number,
    firstTicketAt: await firstTicketTime(db, event),
    ownWallets: await ownWalletsBefore(db, event.saleEnd),
  })
}

/** Block time of the payment that has ticket 1; null before it. */
export async function firstTicketTime(db: Db, { number }: Pick<Event, 'number'>): Promise<Date | null> {
  const [row] = await db
    .select({ at: payments.blockTime })
    .from(payments)
    .where(and(eq(payments.eventNumber, number), eq(payments.ticketNumber, 1)))
  return row?.at ?? null
}
