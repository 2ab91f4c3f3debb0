import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { namesATicket } from '../../core/draw/rules.ts'
import type { WouldHaveWon } from '../../core/live/public.ts'
import { type Event, eventColumns } from '../event/events.ts'
import { bumpVersion } from '../event/version.ts'
import type { Db } from '../index.ts'
import { draws, endings, events, wouldHaveWon } from '../schema/index.ts'
import { insertBeacon } from './beacons.ts'
import type { DrawInput } from './draws.ts'
import { resultOf } from './result.ts'

/** A draw that is this late may never come; the blocks it needs are noted while nodes still have them. */
const noteAfterMinutes = 10
/** Twice the time until the deadline: what no node has shown by then is not asked for any more. */
const giveUpDays = 14

/**
 * Events without a draw whose rule names a ticket that is not noted yet: refunded ones, also archived, and the open one
 * whose draw does not come.
 */
export async function dueWouldHaveWon(db: Db): Promise<Event[]> {
  const rows = await db
    .select({ event: eventColumns, outcome: endings })
    .from(events)
    .leftJoin(endings, eq(endings.eventNumber, events.number))
    .leftJoin(draws, eq(draws.eventNumber, events.number))
    .leftJoin(wouldHaveWon, eq(wouldHaveWon.eventNumber, events.number))
    .where(
      and(
        isNull(draws.eventNumber),
        isNull(wouldHaveWon.eventNumber),
        isNotNull(events.frozenAt),
        sql`${events.drawDate} between clock_timestamp() - ${`${giveUpDays} days`}::interval
          and clock_timestamp() - case when ${endings.kind} is null then ${`${noteAfterMinutes} minutes`} else '0' end::interval`,
      ),
    )
  return rows
    .filter(({ event, outcome }) => namesATicket(event, outcome?.reason ?? null))
    .map(({ event }) => event)
}

/**
 * Notes whom the rule names, once. False if it was noted before or is not to be. The event's row is locked meanwhile, so a
 * draw or a refold comes before it or after it. Throws the errors of resultOf.
 */
export async function recordWouldHaveWon(
  db: Db,
  eventNumber: number,
  { blocks, beacon, source }: Pick<DrawInput, 'blocks' | 'beacon' | 'source'>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.select().from(events).where(eq(events.number, eventNumber)).for('update')
    const event = (await dueWouldHaveWon(tx)).find(({ number }) => number === eventNumber)
    if (!event) return false
    if (beacon && source) await insertBeacon(tx, { ...beacon, source })
    const { row, winners } = await resultOf(tx, event, blocks, beacon)
    const [first] = winners as [(typeof winners)[number]]
    const { payer, transactionHash } = first.payment
    await tx.insert(wouldHaveWon).values({ ...row, payer, transactionHash })
    await bumpVersion(tx)
    return true
  })
}

/** By event, those that are refunded. A list that was made anew since was frozen after the draw date, and is not told. */
export async function loadWouldHaveWon(tx: Db): Promise<Map<number, WouldHaveWon>> {
  const rows = await tx
    .select({ event: events, reason: endings.reason, noted: wouldHaveWon })
    .from(wouldHaveWon)
    .innerJoin(events, eq(events.number, wouldHaveWon.eventNumber))
    .innerJoin(endings, and(eq(endings.eventNumber, events.number), eq(endings.kind, 'refunds')))
  return new Map(
    rows
      .filter(({ event, reason }) => namesATicket(event, reason))
      .map(({ noted }) => [noted.eventNumber, toPublic(noted)]),
  )
}

const toPublic = (noted: typeof wouldHaveWon.$inferSelect): WouldHaveWon => ({
  ticketNumber: noted.winningTicket,
  ticketsSold: noted.ticketsSold,
  walletAddress: getAddress(noted.payer),
  transactionHash: noted.transactionHash,
  ledgerSha256: noted.ledgerSha256,
  blocks: noted.blocks.map(({ number, hash, timestamp }) => ({ number: Number(number), hash, timestamp })),
  beacon: noted.beacon,
  seed: noted.seed,
  counter: noted.counter,
  randomNumber: `${noted.randomNumber}`,
})
