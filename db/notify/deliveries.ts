import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import {
  type DeliveryProblem,
  type DeliveryState,
  giveUpAfterSeconds,
  type Notice,
  retryAfterSeconds,
} from '../../core/notify/kinds.ts'
import { ifGiven, olderThan } from '../filter.ts'
import type { Db } from '../index.ts'
import { channels, deliveries, notifications } from '../schema/index.ts'

/** Longer than any attempt may take: then a worker that took a delivery has died, and another sends it. */
const leaseSeconds = 30

/**
 * A channel whose receiver hangs keeps so many sends busy and no more. All channels together have fewer than a worker has
 * slots, so none waits for another.
 */
const atOnceOfChannel = 3

/** What is due, untried ones first and then in the order in which it happened, as far as each channel may send now. */
export async function dueDeliveries(db: Db, limit: number): Promise<number[]> {
  const rows = await db.execute<{ id: string }>(sql`
    with busy as (
      select channel_id, count(*) as sends from ${deliveries}
      where state = 'waiting' and taken_at > now() - ${`${leaseSeconds} seconds`}::interval group by channel_id
    ), due as (
      select d.id, d.attempts > 0 as is_again, coalesce(b.sends, 0)
        + row_number() over (partition by d.channel_id order by d.attempts > 0, d.id) as place
      from ${deliveries} d join ${channels} c on c.id = d.channel_id left join busy b on b.channel_id = d.channel_id
      where d.state = 'waiting' and d.next_try_at <= now() and c.enabled
    )
    select id from due where place <= ${atOnceOfChannel} order by is_again, id limit ${limit}`)
  return rows.map(({ id }) => Number(id))
}

const isDue = and(eq(deliveries.state, 'waiting'), sql`${deliveries.nextTryAt} <= now()`)

/** The delivery, which this caller alone sends now; `attempt` names the try when its result is written. Undefined when it is not due any more: another worker has it, or has sent it. */
export async function takeDelivery(db: Db, id: number) {
  const [taken] = await db
    .update(deliveries)
    .set({
      attempts: sql`${deliveries.attempts} + 1`,
      firstTriedAt: sql`coalesce(${deliveries.firstTriedAt}, now())`,
      nextTryAt: sql`now() + ${`${leaseSeconds} seconds`}::interval`,
      takenAt: sql`now()`,
    })
    .where(and(eq(deliveries.id, id), isDue))
    .returning()
  if (!taken) return undefined
  const [row] = await db
    .select({ notice: notifications, channel: channels })
    .from(notifications)
    .innerJoin(channels, eq(channels.id, taken.channelId))
    .where(eq(notifications.id, taken.notificationId))
  return row && { id, attempt: taken.attempts, ...row }
}

/** Received is received, whoever else is sending it meanwhile. */
export async function markSent(db: Db, id: number): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'sent', sentAt: sql`now()`, problem: null })
    .where(and(eq(deliveries.id, id), ne(deliveries.state, 'sent')))
}

/** That the receiver was away, not that it refused this message. */
const awayProblems: DeliveryProblem[] = [
  'name_unknown',
  'unreachable',
  'tls',
  'timeout',
  'status_5xx',
  'login_refused',
  'secret_unreadable',
]

/** The receiver is there again: what waits for it does not wait out the hour that its last failure has earned. */
export async function wakeChannel(db: Db, channelId: number): Promise<void> {
  await db
    .update(deliveries)
    .set({ nextTryAt: sql`now()` })
    .where(
      and(
        eq(deliveries.channelId, channelId),
        eq(deliveries.state, 'waiting'),
        isNull(deliveries.takenAt),
        gt(deliveries.nextTryAt, sql`now()`),
        inArray(deliveries.problem, awayProblems),
      ),
    )
}

/** Sets the next try, or gives up, as after the one try of a test. Only while the attempt that failed is the last one. */
export async function markFailed(
  db: Db,
  { id, attempt, notice }: { id: number; attempt: number; notice: { kind: Notice['kind'] } },
  problem: DeliveryProblem,
): Promise<void> {
  const isOver = sql`${notice.kind === 'test'} or now() >= ${deliveries.firstTriedAt} + ${`${giveUpAfterSeconds} seconds`}::interval`
  await db
    .update(deliveries)
    .set({
      problem,
      takenAt: null,
      state: sql`case when ${isOver} then 'given_up' else 'waiting' end`,
      nextTryAt: sql`now() + ${`${retryAfterSeconds(attempt)} seconds`}::interval`,
    })
    .where(and(eq(deliveries.id, id), eq(deliveries.state, 'waiting'), eq(deliveries.attempts, attempt)))
}

/** What the queue of a disabled channel waits for is not late. */
export async function oldestUnsentSeconds(db: Db): Promise<number> {
  const [row] = await db
    .select({ age: sql<string | null>`extract(epoch from now() - min(${notifications.at}))` })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(eq(deliveries.state, 'waiting'), channels.enabled))
  return Math.max(0, Number(row?.age ?? 0))
}

/** Of channels that are there; a test has nobody waiting. */
export async function countGivenUp(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(eq(deliveries.state, 'given_up'), isNull(channels.removedAt), ne(notifications.kind, 'test')))
  return row?.count ?? 0
}

export type DeliveryFilter = {
  cursor?: number | undefined
  channel?: number | undefined
  state?: DeliveryState | undefined
}

const listed = {
  id: deliveries.id,
  channelId: deliveries.channelId,
  channelName: channels.name,
  channelKind: channels.kind,
  kind: notifications.kind,
  eventNumber: notifications.eventNumber,
  at: notifications.at,
  state: deliveries.state,
  attempts: deliveries.attempts,
  nextTryAt: deliveries.nextTryAt,
  sentAt: deliveries.sentAt,
  problem: deliveries.problem,
}

const listedDeliveries = (db: Db) =>
  db
    .select(listed)
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))

/** Newest first, at most `limit`; the next page starts at the id of the last row. */
export async function listDeliveries(db: Db, { cursor, channel, state }: DeliveryFilter, limit = 100) {
  const rows = await listedDeliveries(db)
    .where(
      and(
        olderThan(deliveries.id, cursor),
        ifGiven(deliveries.channelId, channel),
        ifGiven(deliveries.state, state),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit)
  return rows.map(inWords)
}

export async function getDelivery(db: Db, id: number) {
  const [row] = await listedDeliveries(db).where(eq(deliveries.id, id))
  return row && inWords(row)
}

type Row = Awaited<ReturnType<typeof listedDeliveries>>[number]
const inWords = ({ at, nextTryAt, sentAt, state, ...row }: Row) => ({
  ...row,
  state,
  at: at.toISOString(),
  nextTryAt: state === 'waiting' ? nextTryAt.toISOString() : null,
  sentAt: sentAt?.toISOString() ?? null,
})

/** Begins anew with one that was not received. False for one that was, or whose channel is gone. */
export async function retryDelivery(db: Db, id: number): Promise<boolean> {
  const rows = await db
    .update(deliveries)
    .set({ state: 'waiting', attempts: 0, firstTriedAt: null, nextTryAt: sql`now()`, problem: null })
    .where(and(eq(deliveries.id, id), or(eq(deliveries.state, 'waiting'), eq(deliveries.state, 'given_up'))))
    .returning({ id: deliveries.id })
  return rows.length === 1
}

/** A message to one channel that says only that it was a test. */
export async function addTest(db: Db, channelId: number): Promise<number> {
  const [made] = await db
    .insert(notifications)
    .values({ kind: 'test', subject: sql`gen_random_uuid()::text`, facts: {} })
    .returning({ id: notifications.id })
  const [delivery] = await db
    .insert(deliveries)
    .values({ notificationId: (made as { id: number }).id, channelId })
    .returning({ id: deliveries.id })
  return (delivery as { id: number }).id
}

/** How many messages of each live channel wait, and how many were given up; a test that failed has said so to who made it. */
export async function countUnsent(db: Db): Promise<Map<number, { waiting: number; givenUp: number }>> {
  const rows = await db
    .select({
      channelId: deliveries.channelId,
      waiting: sql<number>`count(*) filter (where ${deliveries.state} = 'waiting')::int`,
      givenUp: sql<number>`count(*) filter (where ${deliveries.state} = 'given_up'
        and ${notifications.kind} <> 'test')::int`,
    })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(isNull(channels.removedAt))
    .groupBy(deliveries.channelId)
  return new Map(rows.map(({ channelId, ...counts }) => [channelId, counts]))
}
