import { and, eq, isNull, sql } from 'drizzle-orm'
import { promisesOf } from '../../core/prize/promise.ts'
import type { Db } from '../index.ts'
import { draws, endings, events, prizes } from '../schema/index.ts'
import { keyOf, paidPrizes } from './settle.ts'

/**
 * Token prizes that were not sent, in units: what an event promises from its beginning, and from its draw on what was won.
 * An event that is refunded pays none.
 */
export async function unpaidTokenPrizes(db: Db): Promise<bigint> {
  const won = await dueTokenPrizes(db)
  const undrawn = await db
    .select({ prizes: events.prizes, winners: events.winners })
    .from(events)
    .leftJoin(endings, eq(endings.eventNumber, events.number))
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(
      and(
        isNull(draws.eventNumber),
        sql`${endings.kind} is distinct from 'refunds'`,
        isNull(events.archivedAt),
      ),
    )
  const promised = undrawn.flatMap((event) => promisesOf(event).map(({ units }) => BigInt(units ?? 0)))
  return [...won.map(({ unpaid }) => unpaid), ...promised].reduce((sum, units) => sum + units, 0n)
}

/** Token prizes that are still to be paid, and what of each. */
export async function dueTokenPrizes(db: Db) {
  const due = await db
    .select()
    .from(prizes)
    .where(eq(prizes.state, 'due'))
    .orderBy(prizes.eventNumber, prizes.place)
  const paid = await paidPrizes(db)
  return due.map((prize) => {
    const left = (prize.units as bigint) - (paid.get(keyOf(prize))?.units ?? 0n)
    return { ...prize, unpaid: left > 0n ? left : 0n }
  })
}
