import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../index.ts'
import { channels } from '../schema/index.ts'

export type Channel = typeof channels.$inferSelect
type NewChannel = Pick<Channel, 'kind' | 'name' | 'language' | 'settings' | 'events' | 'enabled'>

const { secret: _, ...told } = getTableColumns(channels)
/** All but the secret itself. */
const toldColumns = { ...told, hasSecret: sql<boolean>`${channels.secret} is not null` }

/** Those that were not removed, oldest first. */
export const listChannels = (db: Db) =>
  db.select(toldColumns).from(channels).where(isNull(channels.removedAt)).orderBy(asc(channels.id))

/**
 * Undefined for one that was removed, or never was. What happens meanwhile and is told to it does not wait: a foreign key's lock
 * stands beside this one.
 */
export async function lockChannel(db: Db, id: number) {
  const [row] = await db
    .select(toldColumns)
    .from(channels)
    .where(and(eq(channels.id, id), isNull(channels.removedAt)))
    .for('no key update')
  return row
}

/** `seal` encrypts for the id that the row has been given. */
export async function addChannel(
  tx: Db,
  channel: NewChannel,
  seal: (id: number) => Uint8Array | null,
): Promise<number> {
  const [row] = await tx.insert(channels).values(channel).returning({ id: channels.id })
  const { id } = row as { id: number }
  await tx
    .update(channels)
    .set({ secret: seal(id) })
    .where(eq(channels.id, id))
  return id
}

/** `secret` left out: it stays. */
export async function changeChannel(
  tx: Db,
  id: number,
  change: Partial<NewChannel> & { secret?: Uint8Array | null },
): Promise<void> {
  await tx
    .update(channels)
    .set({ ...change, revision: sql`${channels.revision} + 1` })
    .where(eq(channels.id, id))
}

export async function removeChannel(tx: Db, id: number): Promise<void> {
  await tx
    .update(channels)
    .set({
      ...{ enabled: false, secret: null, removedAt: sql`now()` },
      settings: sql`'{}'::jsonb`,
      revision: sql`${channels.revision} + 1`,
    })
    .where(eq(channels.id, id))
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
