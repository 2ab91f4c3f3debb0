import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { DeliveryProblem } from '../../core/notify/kinds.ts'
import type { Db } from '../index.ts'
import { channels, deliveries } from '../schema/index.ts'

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

/** Those that were not removed, oldest first, without their secrets. */
export const listChannels = (db: Db) =>
  db.select(shown).from(channels).where(isNull(channels.removedAt)).orderBy(asc(channels.id))

/** `seal` encrypts for the id that the row has been given. */
export async function addChannel(
  tx: Db,
  channel: NewChannel,
  seal: (id: number) => Uint8Array,
): Promise<number> {
  const [row] = await tx.insert(channels).values(channel).returning({ id: channels.id })
  const { id } = row as { id: number }
  await tx
    .update(channels)
    .set({ secret: seal(id) })
    .where(eq(channels.id, id))
  return id
}

/**
 * Its name, or undefined where there is none. What happened until now it still gets: who takes a channel away cannot do so
 * unseen. The secrets of those that were removed a week ago go.
 */
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
