import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { promisesOf } from '../../core/prize/promise.ts'
import type { Db } from '../index.ts'
import { draws, events, operatorTransfers, outcomes, prizes } from '../schema/index.ts'

type PrizeUnits = Map<number, Map<number, bigint>>

/**
 * Token prizes by event and place, in units, paid or not, of this event and of those before it: what an event promises from its
 * beginning, and from its draw on what was won. An event that is refunded pays none.
 */
export async function promisedTokenPrizes(db: Db, eventNumber: number): Promise<PrizeUnits> {
  const won = await db
    .select({ number: prizes.eventNumber, place: prizes.place, units: prizes.units })
    .from(prizes)
    .where(and(lte(prizes.eventNumber, eventNumber), isNotNull(prizes.units)))
    .orderBy(prizes.eventNumber, prizes.place)
  const undrawn = await db
    .select({ number: events.number, prizes: events.prizes, winners: events.winners })
    .from(events)
    .leftJoin(outcomes, eq(outcomes.eventNumber, events.number))
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(
      and(
        lte(events.number, eventNumber),
        sql`${draws.eventNumber} is null and ${outcomes.kind} is distinct from 'refund' and ${events.archivedAt} is null`,
      ),
    )
  const promised = undrawn.flatMap((event) =>
    promisesOf(event).map(({ units }, index) => ({
      ...{ number: event.number, place: index + 1 },
      units: BigInt(units ?? 0),
    })),
  )
  const found: PrizeUnits = new Map()
  for (const { number, place, units } of [...won, ...promised])
    if (units) found.set(number, (found.get(number) ?? new Map()).set(place, units))
  return found
}

/**
 * Of these what no final transfer has paid yet.
 * @internal
 */
export async function unpaidTokenPrizes(db: Db, eventNumber: number): Promise<bigint> {
  const promised = await promisedTokenPrizes(db, eventNumber)
  const all = [...promised.values()]
    .flatMap((places) => [...places.values()])
    .reduce((sum, units) => sum + units, 0n)
  const rows = await db
    .select({ paid })
    .from(prizes)
    .where(and(eq(prizes.kind, 'token'), lte(prizes.eventNumber, eventNumber)))
  return rows.reduce((left, one) => left - BigInt(one.paid), all)
}

/** Token prizes that are still to be paid, and what of each. */
export async function dueTokenPrizes(db: Db) {
  const rows = await db
    .select({ prize: prizes, paid })
    .from(prizes)
    .where(eq(prizes.state, 'due'))
    .orderBy(prizes.eventNumber, prizes.place)
  return rows.map(({ prize, paid }) => ({ ...prize, unpaid: (prize.units as bigint) - BigInt(paid) }))
}

/** Never more than the prize: a mark can make a transfer of more than is left a prize. */
const paid = sql<string>`(select least(coalesce(sum(t.units), 0), prizes.units)::text from ${operatorTransfers} t
  where t.prize_event = prizes.event_number and t.prize_place = prizes.place and not t.is_gone)`
