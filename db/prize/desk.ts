import { and, asc, desc, eq } from 'drizzle-orm'
import { isRevealed } from '../draw/revealed.ts'
import type { Db } from '../index.ts'
import { draws, events, prizes } from '../schema/index.ts'
import { publicPrize } from './public.ts'
import { listSteps } from './steps.ts'
import { dueTokenPrizes } from './unpaid.ts'

/** Prizes of announced winners, the newest event first, with what only administrators see. */
export async function loadPrizeDesk(db: Db, eventNumber?: number) {
  const rows = await db
    .select({ prize: prizes })
    .from(prizes)
    .innerJoin(events, eq(events.number, prizes.eventNumber))
    .innerJoin(draws, eq(draws.eventNumber, prizes.eventNumber))
    .where(and(isRevealed, eventNumber === undefined ? undefined : eq(prizes.eventNumber, eventNumber)))
    .orderBy(desc(prizes.eventNumber), asc(prizes.place))
  const steps = await listSteps(db, [...new Set(rows.map(({ prize }) => prize.eventNumber))])
  const due = await dueTokenPrizes(db)
  return rows.map(({ prize }) => {
    const isIts = (one: { eventNumber: number; place: number }) =>
      one.eventNumber === prize.eventNumber && one.place === prize.place
    const unpaid = due.find(isIts)?.unpaid ?? 0n
    return {
      ...publicPrize(prize, steps.filter(isIts)),
      tracking: prize.tracking,
      unpaid: prize.kind === 'token' ? `${unpaid}` : null,
    }
  })
}
