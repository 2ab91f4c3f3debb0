import { sql } from 'drizzle-orm'
import { saleEndOf } from '../../core/event.ts'
import { termsLine } from '../../core/terms.ts'
import type { Db } from '../index.ts'
import { termsDraft } from '../schema/index.ts'
import { type EnvTerms, type Event, nextSaleStart } from './events.ts'
import { type DraftedTerms, lockDraft, nextTerms, writeDraft } from './next.ts'
import { ownWalletsBefore } from './own-wallets.ts'
import { dateInPast, newestMoment } from './update.ts'

/** What administrators prepared for the next event: in `openNext` it becomes that event's terms. */
export async function getDraft(db: Db) {
  const [row] = await db.select().from(termsDraft)
  return row as typeof termsDraft.$inferSelect
}

/**
 * Saves the draft as a whole. `terms` is the environment, `revision` the draft that the administrator saw: an old form
 * never becomes the draft of a later event. Throws VERSION_CONFLICT, DATE_IN_PAST.
 */
export async function saveDraft(
  db: Db,
  draft: DraftedTerms,
  { terms, revision }: { terms: EnvTerms; revision: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, revision)
    const saleEnd = draft.drawDate && saleEndOf(draft.drawDate, terms.saleLeadSeconds)
    if (saleEnd && saleEnd <= (await newestMoment(tx))) throw dateInPast(saleEnd)
    await writeDraft(tx, draft)
  })
}

/** Throws VERSION_CONFLICT. */
export async function discardDraft(db: Db, revision: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, revision)
    await writeDraft(tx)
  })
}

/** What the event after `open` would promise if it were opened now, and its terms line. */
export async function previewNext(db: Db, open: Event, environment: EnvTerms) {
  const next = nextTerms(open, environment, await getDraft(db))
  const saleEnd = next.drawDate && saleEndOf(next.drawDate, next.saleLeadSeconds)
  const [row] = await db.execute<{ at: string }>(sql`select ${nextSaleStart} as at`)
  const line = termsLine({
    ...next,
    ...{ eventNumber: next.number, saleStart: new Date(row?.at as string), saleEnd },
    ...{ firstTicketAt: null, contentSha256: null },
    ownWallets: await ownWalletsBefore(db, saleEnd),
  })
  return { terms: { ...next, saleEnd }, line }
}
