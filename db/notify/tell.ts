import { sql } from 'drizzle-orm'
import { type Notice, type NoticeFacts, type NoticeKind, toldActions } from '../../core/notify/kinds.ts'
import type { Db } from '../index.ts'
import { deliveries, notifications } from '../schema/index.ts'

/**
 * Tells every channel, in the transaction of what has happened; the triggers of the schema do the same for money and draw.
 * With `subject` each thing of a kind is told once.
 * @internal
 */
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

/** Tells what of a row of the audit list, which went well, is to be told. */
export async function tellAudited(
  tx: Db,
  { actor, action, clientAddress, before, after }: Noted,
): Promise<void> {
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

/** A message to one channel that says only that it was a test. Returns its delivery. */
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
