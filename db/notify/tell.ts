import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import {
  type DeliveryProblem,
  type Notice,
  type NoticeFacts,
  type NoticeKind,
  toldActions,
} from '../../core/notify/kinds.ts'
import type { Db } from '../index.ts'
import { channels, deliveries, notifications } from '../schema/index.ts'

/** In the transaction of what has happened; triggers tell of money and draw. With `subject` each is told once. @internal */
export async function tell(
  tx: Db,
  kind: NoticeKind,
  facts: NoticeFacts,
  subject: string = crypto.randomUUID(),
): Promise<void> {
  await tx.insert(notifications).values({ kind, subject, facts }).onConflictDoNothing()
}

type Noted = {
  actor: string
  action: string
  clientAddress?: string | null | undefined
  before?: unknown
  after?: unknown
}

export async function tellAudited(tx: Db, { actor, action, clientAddress, before, after }: Noted) {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[]
  for (const { kind, field } of toldActions.filter((told) => told.action === action)) {
    const facts = { username: actor, address: clientAddress ?? null, action }
    const [from, to] = field ? [inWords(was?.[field]), inWords(is?.[field])] : []
    const about = inWords(is?.username ?? is?.name ?? was?.username ?? was?.name)
    if (field && from === to) continue
    await tell(tx, kind, { ...facts, ...(field ? { before: from ?? '', after: to ?? '' } : { about }) })
  }
}

const inWords = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : `${value}`

/** Somebody who has the password has no second factor to it; once an hour, however often he tries. */
export const tellWrongCode = (tx: Db, username: string, at: Date): Promise<void> =>
  tell(tx, 'wrong_codes', { username }, `${username} ${at.toISOString().slice(0, 13)}`)

export async function addTest(tx: Db, channelId: number): Promise<number> {
  const kind: Notice['kind'] = 'test'
  const [made] = await tx
    .insert(notifications)
    .values({ kind, subject: sql`gen_random_uuid()::text`, facts: {} })
    .returning({ notificationId: notifications.id })
  const { notificationId } = made as { notificationId: number }
  const [row] = await tx
    .insert(deliveries)
    .values({ notificationId, channelId })
    .returning({ id: deliveries.id })
  return (row as { id: number }).id
}

export type Channel = typeof channels.$inferSelect
type NewChannel = Pick<Channel, 'kind' | 'name' | 'language' | 'settings'>

const shown = {
  id: channels.id,
  kind: channels.kind,
  name: channels.name,
  language: channels.language,
  settings: channels.settings,
  waiting: sql<number>`(select count(*)::int from ${deliveries} d where d.channel_id = ${channels}.id and d.state = 'waiting')`,
  /** Of the last try, whatever it was; null where that one went well. */
  problem: sql<DeliveryProblem | null>`(select d.problem from ${deliveries} d
    where d.channel_id = ${channels}.id and d.tried_at is not null order by d.tried_at desc, d.id desc limit 1)`,
}

export const listChannels = (db: Db) =>
  db.select(shown).from(channels).where(isNull(channels.removedAt)).orderBy(asc(channels.id))

/** `seal` encrypts for the id that the row has been given. */
export async function addChannel(tx: Db, channel: NewChannel, seal: (id: number) => Uint8Array) {
  const [row] = await tx.insert(channels).values(channel).returning({ id: channels.id })
  const { id } = row as { id: number }
  await tx
    .update(channels)
    .set({ secret: seal(id) })
    .where(eq(channels.id, id))
  return id
}

/** Answers its name. What happened until now it still gets, its removal too. Secrets of those removed a week ago go. */
export async function removeChannel(tx: Db, id: number): Promise<string | undefined> {
  await tx
    .update(channels)
    .set({ secret: null })
    .where(sql`${channels.removedAt} < now() - interval '7 days'`)
  const [row] = await tx
    .update(channels)
    .set({ removedAt: sql`now()` })
    .where(and(eq(channels.id, id), isNull(channels.removedAt)))
    .returning({ name: channels.name })
  return row?.name
}

/** Replaces the sealed secrets by what `renew` makes of them, undefined for what stays. Rows are locked meanwhile. */
export async function renewChannelSecrets(
  db: Db,
  renew: (box: Uint8Array, channel: { id: number; name: string }) => Uint8Array | undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(channels)
      .where(isNotNull(channels.secret))
      .orderBy(asc(channels.id))
      .for('no key update')
    for (const { id, name, secret } of rows) {
      const made = secret && renew(secret, { id, name })
      if (made) await tx.update(channels).set({ secret: made }).where(eq(channels.id, id))
    }
  })
}

const isWaiting = eq(deliveries.state, 'waiting')
/** A try that fails so long after what it tells is the last one; of a test the first. */
const isOver: SQL = sql`exists (select from ${notifications} n where n.id = ${deliveries.notificationId}
  and (n.kind = 'test' or n.at < now() - interval '1 day'))`

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

export async function outcomeOf(db: Db, id: number) {
  const [row] = await db
    .select({ state: deliveries.state, problem: deliveries.problem })
    .from(deliveries)
    .where(eq(deliveries.id, id))
  return row
}

export async function oldestUnsentSeconds(db: Db): Promise<number> {
  const [row] = await db
    .select({ age: sql<string | null>`extract(epoch from now() - min(${notifications.at}))` })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(isWaiting, isNull(channels.removedAt)))
  return Math.max(0, Number(row?.age ?? 0))
}
