import { sql } from 'drizzle-orm'
import type { EventContent } from '../../core/content/event-content.ts'
import { saleEndOf } from '../../core/event/event.ts'
import { termsLine } from '../../core/event/terms.ts'
import type { Db } from '../index.ts'
import { type EnvTerms, type Event, newestMoment, nextSaleStart } from './events.ts'
import {
  type DraftedTerms,
  getDraft,
  lockDraft,
  nextContent,
  nextTerms,
  writeContentDraft,
  writeDraft,
} from './next.ts'
import { formerWalletsOf, getBook } from './terms.ts'
import { expectDate } from './update.ts'

/** `revision` is the draft that was seen. Throws VERSION_CONFLICT, DATE_IN_PAST, DATE_TOO_FAR. */
export async function saveDraft(
  db: Db,
  draft: DraftedTerms,
  { terms, revision }: { terms: EnvTerms; revision: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, { revision })
    const saleEnd = draft.drawDate && saleEndOf(draft.drawDate, terms.saleLeadSeconds)
    const now = await newestMoment(tx)
    if (draft.drawDate && saleEnd) expectDate({ drawDate: draft.drawDate, saleEnd }, now)
    await writeDraft(tx, draft)
  })
}

export async function discardDraft(db: Db, revision: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, { revision })
    await writeDraft(tx)
  })
}

/** Null discards it. Throws VERSION_CONFLICT. */
export async function saveContentDraft(
  db: Db,
  content: EventContent | null,
  { revision }: { revision: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, { contentRevision: revision })
    await writeContentDraft(tx, content)
  })
}

/** What the event after `open` would promise if it were opened now, and its terms line. */
export async function previewNext(db: Db, open: Event, environment: EnvTerms) {
  const next = nextTerms(open, environment, await getDraft(db), await nextContent(db, open))
  const saleEnd = next.drawDate && saleEndOf(next.drawDate, next.saleLeadSeconds)
  const [row] = await db.execute<{ at: string }>(sql`select ${nextSaleStart} as at`)
  const line = termsLine({
    ...next,
    ...{ eventNumber: next.number, saleStart: new Date(row?.at as string), saleEnd },
    ...{ book: await getBook(db), formerWallets: await formerWalletsOf(db, next) },
  })
  return { terms: { ...next, saleEnd }, line }
}
