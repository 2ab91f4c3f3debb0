import { eq, sql } from 'drizzle-orm'
import type { EventContent } from '../../core/content/event-content.ts'
import { contentSha256, termsOfContent } from '../../core/content/promised.ts'
import { RaffleError } from '../../core/errors.ts'
import type { Entropy } from '../../core/event/event.ts'
import type { PrizePromise } from '../../core/prize/promise.ts'
import type { Db } from '../index.ts'
import { events, settings } from '../schema/index.ts'
import { type EnvTerms, type Event, eventColumns, nextSaleStart, termsFromEnv } from './events.ts'

/** An event is over when it was drawn, its refunds have begun, or it ended without a ticket. */
export async function isOver(tx: Db, event: Event): Promise<boolean> {
  const [row] = await tx.execute<{ drawing: boolean; due: boolean; sold: number }>(sql`
    select exists (select from draws where event_number = e.number
        and greatest(drawn_at, e.redrawn_at) + interval '10 seconds' > now()) as drawing,
      draw_date <= now() or (stopped_at is not null and frozen_at is not null) as due, tickets_of(e.number) as sold
    from events e where e.number = ${event.number}`)
  // The archive shows the winner, so it must wait until the drawing has ended.
  if (row?.drawing) throw new RaffleError('EVENT_LOCKED', { reason: 'announcing', field: 'drawDate' })
  if (event.ending === 'drawn') return true
  return event.frozenAt !== null && (event.ending === 'refunds' || (row?.due === true && row.sold === 0))
}

/** The terms that a draft can hold; null leaves one as it is without a draft. */
export type DraftedTerms = Pick<typeof settings.$inferSelect, keyof typeof drafted>

const { drawDate, minTickets, autoDraw, claimDays, entropy } = settings
const drafted = { drawDate, minTickets, autoDraw, claimDays, entropy }

/** What administrators prepared for the next event: in `openNext` it becomes that event's terms. Its content has a revision of its own. */
export async function getDraft(db: Db, lock = false) {
  const found = db
    .select({
      ...drafted,
      ...{ content: settings.content, contentRevision: settings.contentRevision },
      ...{ savedAt: settings.draftSavedAt, revision: settings.draftRevision },
    })
    .from(settings)
  const [row] = await (lock ? found.for('update') : found)
  return row as NonNullable<typeof row>
}

export const emptyDraft: DraftedTerms = {
  ...{ drawDate: null, minTickets: null, autoDraw: null, claimDays: null, entropy: null },
}

type Seen = { revision?: number | undefined; contentRevision?: number | undefined }

/** Locked after the event, never before. Throws VERSION_CONFLICT where it is not the draft that was seen. */
export async function lockDraft(tx: Db, seen: Seen = {}) {
  const { savedAt, revision, content, contentRevision, ...terms } = await getDraft(tx, true)
  if (
    (seen.revision ?? revision) !== revision ||
    (seen.contentRevision ?? contentRevision) !== contentRevision
  )
    throw new RaffleError('VERSION_CONFLICT')
  return { terms, content }
}

/** Writes the draft as a whole; without one it is emptied. The caller has locked it. */
export async function writeDraft(tx: Db, terms?: DraftedTerms): Promise<void> {
  await tx.update(settings).set({
    ...(terms ?? emptyDraft),
    draftSavedAt: terms ? sql`now()` : null,
    draftRevision: sql`${settings.draftRevision} + 1`,
  })
}

/** Null empties the draft of the content. The caller has locked it. */
export async function writeContentDraft(tx: Db, content: EventContent | null): Promise<void> {
  await tx.update(settings).set({ content, contentRevision: sql`${settings.contentRevision} + 1` })
}

export async function contentOfEvent(db: Db, eventNumber: number): Promise<EventContent | null> {
  const [row] = await db
    .select({ content: events.content })
    .from(events)
    .where(eq(events.number, eventNumber))
  return row?.content ?? null
}

/** What the event after `open` would have: the draft, else what the open one has. */
export async function nextContent(db: Db, open: { number: number }): Promise<EventContent | null> {
  const [row] = await db.select({ content: settings.content }).from(settings)
  return row?.content ?? contentOfEvent(db, open.number)
}

/**
 * The draft comes before the environment; winners and prizes are those of the content. Price, lead, wallet, chain and token are the environment's
 * alone, the minimum without a draft that of the event before.
 */
export function nextTerms(
  over: Event,
  environment: EnvTerms,
  draft: DraftedTerms,
  content: EventContent | null,
) {
  const fromEnv = termsFromEnv(environment)
  const operatorWallet = fromEnv.operatorWallet ?? over.operatorWallet
  const chosen = namesOf(draft).map((name) => [name, draft[name]])
  return {
    ...emptyDraft,
    ...fromEnv,
    ...{
      minTickets: over.minTickets,
      entropy: 'blocks' as Entropy,
      winners: 1,
      prizes: [] as PrizePromise[],
    },
    operatorWallet,
    // A worker with another key changes it, in public.
    anchorWallet: over.anchorWallet === operatorWallet ? null : over.anchorWallet,
    ...(Object.fromEntries(chosen) as Partial<Chosen>),
    ...(content && termsOfContent(content)),
    ...{ content, contentSha256: content && contentSha256(content) },
    number: over.number + 1,
  }
}

type Chosen = { [Name in keyof DraftedTerms]: NonNullable<DraftedTerms[Name]> }

const namesOf = (draft: DraftedTerms) =>
  (Object.keys(draft) as (keyof DraftedTerms)[]).filter((name) => draft[name] !== null)

/**
 * Archives an event that is over and opens the next one, which uses the drafts up. The caller sets its draw date. The revision
 * goes on, so an old form is never taken for this event's.
 */
export async function openNext(
  tx: Db,
  over: Event,
  environment: EnvTerms,
  {
    minTickets,
    contentRevision,
  }: { minTickets?: number | undefined; contentRevision?: number | undefined } = {},
): Promise<Event> {
  const { terms: draft } = await lockDraft(tx, { contentRevision })
  const content = await nextContent(tx, over)
  await writeDraft(tx)
  await writeContentDraft(tx, null)
  const revision = over.revision + 1
  await tx
    .update(events)
    .set({ archivedAt: sql`now()`, refundNotice: false, revision })
    .where(eq(events.number, over.number))
  const { drawDate, ...terms } = nextTerms(over, environment, draft, content)
  const [next] = await tx
    .insert(events)
    .values({
      ...terms,
      ...(minTickets !== undefined && { minTickets }),
      drafted: namesOf(draft),
      // Whose key somebody has held, he holds.
      walletProvenAt: terms.operatorWallet === over.operatorWallet ? over.walletProvenAt : null,
      saleStart: nextSaleStart,
      googleFormUrl: over.googleFormUrl,
      revision,
    })
    .returning(eventColumns)
  return next as Event
}
