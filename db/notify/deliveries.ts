import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { DeliveryProblem, DeliveryState } from '../../core/notify/kinds.ts'
import type { Db } from '../index.ts'
import { channels, deliveries, notifications } from '../schema/index.ts'

const isWaiting = eq(deliveries.state, 'waiting')
/** A try that fails so long after what it tells is the last one; of a test the first. */
const isOver: SQL = sql`exists (select from ${notifications} n where n.id = ${deliveries.notificationId}
  and (n.kind = 'test' or n.at < now() - interval '3 days'))`

/** What waits and was never tried; with `again` also what was, whose job the queue may have lost. */
export async function waitingDeliveries(db: Db, again: boolean, limit = 500): Promise<number[]> {
  const rows = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isWaiting, again ? undefined : isNull(deliveries.triedAt)))
    .orderBy(asc(deliveries.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** A message with its channel; undefined for one that is not waiting. */
export async function readDelivery(db: Db, id: number) {
  const [row] = await db
    .select({ notice: notifications, channel: channels })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(eq(deliveries.id, id), isWaiting))
  return row
}

/** Received is received, whoever else is sending it meanwhile. */
export async function markSent(db: Db, id: number): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'sent', triedAt: sql`now()`, problem: null })
    .where(eq(deliveries.id, id))
}

/** Whether it is tried again. */
export async function markFailed(db: Db, id: number, problem: DeliveryProblem): Promise<boolean> {
  const [row] = await db
    .update(deliveries)
    .set({
      ...{ problem, triedAt: sql`now()` },
      state: sql`case when ${isOver} then 'given_up' else 'waiting' end`,
    })
    .where(and(eq(deliveries.id, id), isWaiting))
    .returning({ state: deliveries.state })
  return row?.state === 'waiting'
}

/** What became of a message. */
export async function outcomeOf(
  db: Db,
  id: number,
): Promise<{ state: DeliveryState; problem: DeliveryProblem | null } | undefined> {
  const [row] = await db
    .select({ state: deliveries.state, problem: deliveries.problem })
    .from(deliveries)
    .where(eq(deliveries.id, id))
  return row
}

/** How long the oldest message of a channel that is there has waited. */
export async function oldestUnsentSeconds(db: Db): Promise<number> {
  const [row] = await db
    .select({ age: sql<string | null>`extract(epoch from now() - min(${notifications.at}))` })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(isWaiting, isNull(channels.removedAt)))
  return Math.max(0, Number(row?.age ?? 0))
}
