import { and, eq, isNull, sql } from 'drizzle-orm'
import { type PublicPrize, promisesOf } from '../../core/prize/promise.ts'
import { isRevealed } from '../draw/draws.ts'
import type { Db } from '../index.ts'
import { draws, endings, events } from '../schema/index.ts'
import { type Prize, readPrizes } from './prizes.ts'

/** Nothing of it is private but the parcel's number. */
const publicPrize = ({ tracking, unpaid, ...shown }: Prize): PublicPrize => shown

/** As readPrizes, as everybody may see them. */
export const loadPrizes = async (db: Db, eventNumbers: readonly number[]): Promise<PublicPrize[]> =>
  (await readPrizes(db, eventNumbers)).map(publicPrize)

export async function loadAnnouncedPrizes(db: Db, eventNumber: number): Promise<PublicPrize[] | undefined> {
  return (await announcedEvents(db, eventNumber)).length > 0 ? loadPrizes(db, [eventNumber]) : undefined
}

export async function loadPrizeDesk(db: Db, eventNumber?: number) {
  const found = await readPrizes(db, await announcedEvents(db, eventNumber))
  return found
    .toSorted((a, b) => b.eventNumber - a.eventNumber || a.place - b.place)
    .map((prize) => ({
      ...publicPrize(prize),
      tracking: prize.tracking,
      unpaid: prize.kind === 'token' ? `${prize.unpaid}` : null,
    }))
}

async function announcedEvents(db: Db, eventNumber?: number): Promise<number[]> {
  const rows = await db
    .select({ number: draws.eventNumber })
    .from(draws)
    .innerJoin(events, eq(events.number, draws.eventNumber))
    .where(and(isRevealed, eventNumber === undefined ? undefined : eq(draws.eventNumber, eventNumber)))
  return rows.map(({ number }) => number)
}

/** In units: what an event promises, and from its draw on what was won. An event that is refunded pays none. */
export async function unpaidTokenPrizes(db: Db): Promise<bigint> {
  const rows = await db
    .select({ event: events, drawn: draws.eventNumber })
    .from(events)
    .leftJoin(endings, eq(endings.eventNumber, events.number))
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .where(and(isNull(endings.reason), sql`${draws.eventNumber} is not null or ${events.archivedAt} is null`))
  const promising = rows.filter(({ event }) => event.prizes.some(({ kind }) => kind === 'token'))
  const won = await readPrizes(
    db,
    promising.flatMap(({ drawn }) => drawn ?? []),
  )
  const promised = promising
    .filter(({ drawn }) => drawn === null)
    .flatMap(({ event }) => promisesOf(event).map(({ units }) => BigInt(units ?? 0)))
  return [...won.map(({ unpaid }) => unpaid), ...promised].reduce((sum, units) => sum + units, 0n)
}
