import { eq, isNull, sql } from 'drizzle-orm'
import type { EventContent } from '../../core/content/event-content.ts'
import { termsOfContent } from '../../core/content/follows.ts'
import { RaffleError } from '../../core/errors.ts'
import { isSamePromise } from '../../core/prize/promise.ts'
import { type DraftedTerms, lockDraft } from '../event/next.ts'
import type { Db } from '../index.ts'
import { events, termsDraft } from '../schema/index.ts'
import { addContent, nextContent } from './contents.ts'
import { lockContentDraft, writeContentDraft } from './draft-row.ts'

/**
 * Saves the content of the next event; null discards it. What the draft of the terms says of winners and prizes gives
 * way to it. `revision` is the draft that the administrator saw. Throws VERSION_CONFLICT.
 */
export async function saveContentDraft(
  db: Db,
  content: EventContent | null,
  { savedBy, revision }: { savedBy: string; revision: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx)
    await lockContentDraft(tx, revision)
    const [open] = await tx.select({ number: events.number }).from(events).where(isNull(events.archivedAt))
    if (!open) throw new RaffleError('DB_UNAVAILABLE', 'No event has been opened yet.')
    const saved = content && (await addContent(tx, { eventNumber: open.number + 1, content, savedBy }))
    await writeContentDraft(tx, saved?.id ?? null)
    await dropContradicted(tx, (await nextContent(tx, open))?.content)
  })
}

/** Empties winners and prizes of the drafted terms where the next event's content says others. */
export async function dropContradicted(tx: Db, content: EventContent | undefined): Promise<void> {
  const { terms } = await lockDraft(tx)
  const field = content && contradictedBy(content, terms)
  if (!field) return
  await tx
    .update(termsDraft)
    .set({ winners: null, prizes: null, revision: sql`${termsDraft.revision} + 1` })
    .where(eq(termsDraft.id, 1))
}

/** Which of the terms says something else than follows from a content; undefined where none does. */
export function contradictedBy(
  content: EventContent,
  { winners, prizes }: Pick<DraftedTerms, 'winners' | 'prizes'>,
): 'winners' | 'prizes' | undefined {
  const follows = termsOfContent(content)
  if (winners !== null && winners !== follows.winners) return 'winners'
  return prizes !== null && !isSamePromise(prizes, follows.prizes) ? 'prizes' : undefined
}
