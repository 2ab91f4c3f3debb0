import { and, asc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Db } from '../index.ts'
import { events, payments } from '../schema/index.ts'
import type { Event } from './events.ts'

/** The terms line of an event: the frozen one, else what it promises now. */
export async function termsOf(db: Db, event: Event): Promise<string> {
  if (event.terms !== null) return event.terms
  const [row] = await db.execute<{ line: string }>(
    sql`select terms_line(events) as line from events where number = ${event.number}`,
  )
  return row?.line as string
}

/** Operator wallets of the events before this one, which buy no tickets; in order. */
export async function formerWalletsOf(db: Db, { number }: Pick<Event, 'number'>): Promise<Address[]> {
  const rows = await db
    .selectDistinctOn([events.operatorWallet], { wallet: events.operatorWallet })
    .from(events)
    .where(and(lt(events.number, number), isNotNull(events.operatorWallet)))
    .orderBy(asc(events.operatorWallet))
  return rows.map(({ wallet }) => wallet as Address)
}

/** Block time of the payment that has ticket 1; null before it. */
export async function firstTicketTime(db: Db, { number }: Pick<Event, 'number'>): Promise<Date | null> {
  const [row] = await db
    .select({ at: payments.blockTime })
    .from(payments)
    .where(and(eq(payments.eventNumber, number), eq(payments.ticketNumber, 1)))
  return row?.at ?? null
}
