import { and, eq, sql } from 'drizzle-orm'
import { beaconLostDays } from '../../core/draw/beacon.ts'
import { type BeaconFact, type DrawFacts, dueRefund, whyNotDrawn } from '../../core/draw/rules.ts'
import { deadlineOf } from '../../core/event/event.ts'
import { type Event, getOpenEvent } from '../event/events.ts'
import { reachedTime } from '../event/scan-cursor.ts'
import { firstTicketTime } from '../event/terms.ts'
import type { Db } from '../index.ts'
import { beaconRounds, beacons, draws, events, scanCursor, workerRequests } from '../schema/index.ts'
import { anchoredAs } from './anchors.ts'
import { loadDrawBlocks } from './beacons.ts'

/** The open event and the facts that decide about its draw; `isDue` by the database's clock. */
export async function getDrawFacts(db: Db): Promise<{ event: Event; facts: DrawFacts } | undefined> {
  const event = await getOpenEvent(db)
  return event && { event, facts: await factsOf(db, event) }
}

/**
 * What decides about the draw of an event; `isDue` by the database's clock. `isOverdue` by the last final block that was
 * folded, or by `finalTime` (seconds) of one that the caller has just seen; without such an answer, after an hour in
 * which no block was folded, by the database's clock, so that no outage keeps the money of buyers for ever.
 */
export async function factsOf(db: Db, event: Event, finalTime?: number): Promise<DrawFacts> {
  const [row] = await db.execute<{
    due: boolean | null
    drawn: boolean
    reached: string | null
    beacon_due: string | null
    beacon_at: string | null
    anchors_read: boolean
  }>(sql`
    select (select draw_date <= clock_timestamp() from ${events} where number = ${event.number}) as due,
      exists (select 1 from ${draws} where event_number = ${event.number}) as drawn,
      (select ${reachedTime(finalTime === undefined)} from ${scanCursor}) as reached,
      (select due_at from ${beaconRounds} where event_number = ${event.number}) as beacon_due,
      (select b.received_at from ${beaconRounds} r join ${beacons} b on b.chain_hash = r.chain_hash and b.round = r.round
        where r.event_number = ${event.number}) as beacon_at,
      exists (select 1 from ${scanCursor} where block_time >= (select draw_date from ${events} where number = ${event.number}))
        as anchors_read`)
  const { drawDate, ticketsSold } = event
  const deadline =
    ticketsSold > 0 ? deadlineOf(event, drawDate ? null : await firstTicketTime(db, event)) : null
  const reached = Math.max((finalTime ?? 0) * 1000, row?.reached ? Date.parse(row.reached) : 0)
  return {
    isDue: row?.due === true,
    isFrozen: event.frozenAt !== null,
    anchored: row?.anchors_read === true ? await anchoredAs(db, event) : 'free',
    ticketsSold,
    minTickets: event.minTickets,
    isRefunded: event.refundModeAt !== null,
    isDrawn: row?.drawn === true,
    isOverdue: deadline !== null && reached >= deadline.getTime(),
    beacon: event.entropy === 'blocks' ? 'none' : beaconOf(row, reached),
  }
}

/** A signature that came after its seven days is lost too: else whoever holds it back could choose. */
function beaconOf(
  row: { beacon_due: string | null; beacon_at: string | null } | undefined,
  reached: number,
): BeaconFact {
  const lostAt = row?.beacon_due ? Date.parse(row.beacon_due) + beaconLostMs : Number.POSITIVE_INFINITY
  if (row?.beacon_at) return Date.parse(row.beacon_at) < lostAt ? 'found' : 'lost'
  return reached >= lostAt ? 'lost' : 'pending'
}

const beaconLostMs = beaconLostDays * 86_400_000

/**
 * Events that need a worker: a caller waits for a draw, the draw date has come, or refund mode must begin. An event
 * whose draw an administrator starts waits for that.
 */
export async function dueDraws(db: Db): Promise<number[]> {
  const found = await getDrawFacts(db)
  if (!found) return []
  const { event, facts } = found
  const refusal = whyNotDrawn(facts)?.code
  // The round, and anchors that are still untold, are looked for whoever starts the draw.
  const isDue =
    dueRefund(facts) !== undefined ||
    refusal === 'BEACON_PENDING' ||
    refusal === 'RPC_UNAVAILABLE' ||
    (event.autoDraw && refusal === undefined)
  return isDue || (await isAskedFor(db, event.number)) ? [event.number] : []
}

/**
 * Events that wait for an administrator to draw them and whose five blocks are not noted yet: by then nodes may have dropped
 * them. Where a beacon is mixed in they are noted while its round is looked for.
 */
export async function dueDrawBlocks(db: Db): Promise<number[]> {
  const found = await getDrawFacts(db)
  if (!found || found.event.autoDraw || found.event.entropy !== 'blocks' || whyNotDrawn(found.facts))
    return []
  const { number } = found.event
  return (await loadDrawBlocks(db, number)) ? [] : [number]
}

async function isAskedFor(db: Db, eventNumber: number): Promise<boolean> {
  const [row] = await db
    .select({ id: workerRequests.id })
    .from(workerRequests)
    .where(
      and(
        eq(workerRequests.eventNumber, eventNumber),
        eq(workerRequests.kind, 'draw'),
        sql`${workerRequests.answeredAt} is null and ${workerRequests.expiresAt} > now()`,
      ),
    )
    .limit(1)
  return row !== undefined
}
