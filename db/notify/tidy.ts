import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { channels, deliveries, notifications } from '../schema/index.ts'

/** So long the list of the dashboard shows what was sent. */
const keptDays = 90
const atOnce = 10_000

const isUnsent = or(eq(deliveries.state, 'waiting'), eq(deliveries.state, 'given_up'))

/** A removed channel's messages are not sent any more. */
export async function dropDeliveries(db: Db, channelId: number): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'dropped' })
    .where(and(eq(deliveries.channelId, channelId), isUnsent))
}

/** What was on its way to a channel in the moment of its removal would wait for ever. Safe to run twice. */
export async function dropOrphans(db: Db): Promise<void> {
  const removed = db.select({ id: channels.id }).from(channels).where(sql`${channels.removedAt} is not null`)
  await db
    .update(deliveries)
    .set({ state: 'dropped' })
    .where(and(inArray(deliveries.channelId, removed), isUnsent))
}

/**
 * Forgets what was sent, or dropped, so long ago; never what is unsent. The notices stay: each is the memory that this was told,
 * without which it would be told again.
 */
export async function purgeDeliveries(db: Db): Promise<void> {
  const old = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(
      and(
        or(eq(deliveries.state, 'sent'), eq(deliveries.state, 'dropped')),
        sql`${notifications.at} < now() - ${`${keptDays} days`}::interval`,
      ),
    )
    .limit(atOnce)
  await db.delete(deliveries).where(inArray(deliveries.id, old))
}
