import { sql } from 'drizzle-orm'
import type { EventContent } from '../../core/content/event-content.ts'
import { termsOfContent } from '../../core/content/promised.ts'
import { saleEndOf } from '../../core/event/event.ts'
import { termsLine } from '../../core/event/terms.ts'
import { isSamePromise } from '../../core/prize/promise.ts'
import type { Db } from '../index.ts'
import { settings } from '../schema/index.ts'
import { type EnvTerms, type Event, mustHaveEvent, newestMoment, nextSaleStart } from './events.ts'
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
import { contradictsContent, expectDate, wantedPrizes } from './update.ts'

/** `revision` is the draft that was seen. Throws VERSION_CONFLICT, DATE_IN_PAST, DATE_TOO_FAR, INVALID_VALUE for its prizes. */
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
    const winners = await winnersOfContent(tx, draft)
    const prizes = draft.prizes && wantedPrizes(draft.prizes, winners ?? draft.winners ?? 1)
    await writeDraft(tx, { ...draft, prizes })
  })
}

/** As the next event's content has it; undefined without one. Throws INVALID_VALUE where the draft says something else. */
async function winnersOfContent(tx: Db, draft: DraftedTerms): Promise<number | undefined> {
  const content = await nextContent(tx, await mustHaveEvent(tx))
  const field = content && contradictedBy(content, draft)
  if (field) throw contradictsContent(field)
  return content ? termsOfContent(content).winners : undefined
}

export async function discardDraft(db: Db, revision: number): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, { revision })
    await writeDraft(tx)
  })
}

/** Null discards it. Drafted winners and prizes give way to it. Throws VERSION_CONFLICT. */
export async function saveContentDraft(
  db: Db,
  content: EventContent | null,
  { revision }: { revision: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockDraft(tx, { contentRevision: revision })
    await writeContentDraft(tx, content)
    await dropContradicted(tx, await nextContent(tx, await mustHaveEvent(tx)))
  })
}

/** Empties winners and prizes of the drafted terms where the next event's content says others. */
export async function dropContradicted(tx: Db, content: EventContent | null): Promise<void> {
  const { terms } = await lockDraft(tx)
  if (!content || !contradictedBy(content, terms)) return
  await tx
    .update(settings)
    .set({ winners: null, prizes: null, draftRevision: sql`${settings.draftRevision} + 1` })
}

function contradictedBy(
  content: EventContent,
  { winners, prizes }: Pick<DraftedTerms, 'winners' | 'prizes'>,
): 'winners' | 'prizes' | undefined {
  const follows = termsOfContent(content)
  if (winners !== null && winners !== follows.winners) return 'winners'
  return prizes !== null && !isSamePromise(prizes, follows.prizes) ? 'prizes' : undefined
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
