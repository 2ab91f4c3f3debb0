import { desc, eq, or } from 'drizzle-orm'
import { canonicalJson } from '../../core/content/canonical.ts'
import type { EventContent } from '../../core/content/event-content.ts'
import { contentSha256 } from '../../core/content/promised.ts'
import type { ContentVersion } from '../../core/content/public-content.ts'
import type { Db } from '../index.ts'
import { contentDraft, contents, events } from '../schema/index.ts'

export type SavedContent = typeof contents.$inferSelect

/** Keeps a version for good; `savedBy` is null for the one that a first event begins with. */
export async function addContent(
  tx: Db,
  { eventNumber, content, savedBy }: Pick<SavedContent, 'eventNumber' | 'content' | 'savedBy'>,
): Promise<SavedContent> {
  const [row] = await tx
    .insert(contents)
    .values({ eventNumber, content, savedBy, contentSha256: contentSha256(content) })
    .returning()
  return row as SavedContent
}

/** The content of an event; undefined for one from before contents were kept, and where there is no such event. */
export async function contentOfEvent(db: Db, eventNumber: number): Promise<SavedContent | undefined> {
  const [row] = await db
    .select({ contents })
    .from(events)
    .innerJoin(contents, eq(contents.id, events.contentId))
    .where(eq(events.number, eventNumber))
  return row?.contents
}

/** The drafted content of the next event. */
export async function draftedContent(db: Db): Promise<SavedContent | undefined> {
  const [row] = await db
    .select({ contents })
    .from(contentDraft)
    .innerJoin(contents, eq(contents.id, contentDraft.contentId))
  return row?.contents
}

/** What the event after `open` would have: the draft, else what the open one has. */
export const nextContent = async (db: Db, open: { number: number }): Promise<SavedContent | undefined> =>
  (await draftedContent(db)) ?? (await contentOfEvent(db, open.number))

/** Versions saved for an event, drafts of it too, and the one that it took over; newest first, without their texts. */
export async function versionsOf(db: Db, event: { number: number; contentId: number | null }) {
  const { id, savedAt, savedBy, contentSha256 } = contents
  const rows = await db
    .select({ id, savedAt, savedBy, contentSha256 })
    .from(contents)
    .where(
      or(
        eq(contents.eventNumber, event.number),
        event.contentId === null ? undefined : eq(id, event.contentId),
      ),
    )
    .orderBy(desc(id))
    .limit(100)
  return rows.map((row): ContentVersion => ({ ...row, savedAt: row.savedAt.toISOString() }))
}

/** A saved version by its id. */
export async function savedContent(db: Db, id: number): Promise<SavedContent | undefined> {
  const [row] = await db.select().from(contents).where(eq(contents.id, id))
  return row
}

/** Also where only what is not promised differs. */
export const isSameContent = (a: EventContent, b: EventContent): boolean =>
  canonicalJson(a) === canonicalJson(b)
