import { eq } from 'drizzle-orm'
import { getAddress } from 'viem'
import type { Point } from '../../core/flows/thin.ts'
import { unknownSolvency } from '../../core/flows/unknown.ts'
import type { Cover, PublicSolvency } from '../../core/live/solvency.ts'
import type { Event } from '../event/events.ts'
import type { Db } from '../index.ts'
import { solvency } from '../schema/index.ts'

/** As it was last reckoned for the event, and is told to everybody. */
export async function loadSolvency(
  db: Db,
  { number, token }: Pick<Event, 'number' | 'token'>,
): Promise<PublicSolvency> {
  const [row] = await db
    .select({ facts: solvency.facts, dust: solvency.dust })
    .from(solvency)
    .where(eq(solvency.eventNumber, number))
  // What an older release reckoned tells less.
  const unknown = unknownSolvency(number, getAddress(token))
  return row ? { ...unknown, ...row.facts, dust: `${row.dust}` } : unknown
}

type Past = {
  eventNumber: number
  state: Cover
  equation: PublicSolvency['equation']
  reckonedAt: string | null
  points: Point[]
}

/** What it was since the sale start. */
export async function solvencyPast(db: Db, { number: eventNumber }: Pick<Event, 'number'>): Promise<Past> {
  const [row] = await db.select().from(solvency).where(eq(solvency.eventNumber, eventNumber))
  return {
    eventNumber,
    state: row?.facts.state ?? 'unknown',
    equation: row?.facts.equation ?? 'unknown',
    reckonedAt: row?.reckonedAt.toISOString() ?? null,
    points: row?.points ?? [],
  }
}
