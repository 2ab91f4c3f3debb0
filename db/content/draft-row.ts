import { sql } from 'drizzle-orm'
import { RaffleError } from '../../core/errors.ts'
import type { Db } from '../index.ts'
import { contentDraft } from '../schema/index.ts'

/** Revision of the draft of the next event's content. */
export async function contentRevision(db: Db): Promise<number> {
  const [row] = await db.select({ revision: contentDraft.revision }).from(contentDraft)
  return row?.revision as number
}

/**
 * The draft, which nobody else saves or uses up until this transaction ends. Locked after the draft of the terms, never
 * before. Throws VERSION_CONFLICT where it is not the one that was seen.
 */
export async function lockContentDraft(tx: Db, seen?: number): Promise<void> {
  const [row] = await tx.select({ revision: contentDraft.revision }).from(contentDraft).for('update')
  if (seen !== undefined && seen !== row?.revision)
    throw new RaffleError(
      'VERSION_CONFLICT',
      'Somebody else has changed this draft or opened its event. Reload and try again.',
    )
}

/** Names the drafted version; null empties the draft. The caller has locked it. */
export async function writeContentDraft(tx: Db, contentId: number | null): Promise<void> {
  await tx.update(contentDraft).set({ contentId, revision: sql`${contentDraft.revision} + 1` })
}
