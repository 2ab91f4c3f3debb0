import { type TSchema, Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { getAddress } from 'viem'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { entropies } from '../../core/event/event.ts'
import { claimDaysRange, minTicketsRange, mostLetters } from '../../core/event/ranges.ts'
import { centsOf } from '../../core/money.ts'
import { formOf, promisesOf } from '../../core/prize/promise.ts'
import { discardDraft, previewNext, saveDraft } from '../../db/event/draft.ts'
import { type EnvTerms, getOpenEvent, mustHaveEvent } from '../../db/event/events.ts'
import { type DraftedTerms, emptyDraft, getDraft, isOver } from '../../db/event/next.ts'
import { type Db, snapshot } from '../../db/index.ts'
import { getEventSettings, updateEventSettings } from '../../db/report/public.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, invalid, nullable, orEmpty, read } from '../http/schema.ts'
import { choice, date, flag, text, urlLike, version, whole } from '../http/values.ts'
import { ownImageKey } from '../upload/schema.ts'
import { openStorage, type Storage } from '../upload/storage.ts'

/** The draft as a whole; null, or left out: as it is without a draft. */
const draftBody = exact(
  {
    drawDate: t.Optional(nullable(date)),
    minTicketsForDraw: t.Optional(nullable(whole(minTicketsRange.min, minTicketsRange.max))),
    autoDraw: t.Optional(nullable(flag())),
    claimDays: t.Optional(nullable(whole(claimDaysRange.min, claimDaysRange.max))),
    entropy: t.Optional(nullable(choice(entropies))),
    /** Revision of the draft that the form was filled with. */
    version,
  },
  {
    someOf: ['drawDate', 'minTicketsForDraw', 'autoDraw', 'claimDays', 'entropy'],
  },
)
export const discardQuery = exact({
  version: read(t.String({ pattern: '^[1-9]\\d{0,8}$', ...invalid }), Number),
})
/** Blank keeps the value, null clears it. */
const filled = <S extends TSchema>(schema: S) => t.Optional(nullable(orEmpty(schema, { blank: true })))
const settingsBody = exact({
  prizeImageUrl: filled(urlLike()),
  prizeValue: filled(text({ max: mostLetters.prizeValue })),
  prizeDescription: filled(text({ max: mostLetters.prizeDescription, lines: true })),
  eventStartDate: filled(date),
  isActive: t.Optional(flag()),
  /** `updatedAt` of the values that the form was filled with; null if nothing had been saved. */
  version: t.Optional(
    nullable(t.String({ maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$', ...invalid })),
  ),
})

export const nextTermsRoutes = ({ admin: { terms } }: Deps, guard: AdminGuard) =>
  new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      ...guard.read('/next-terms', {
        about: 'What the next event will promise',
        run: ({ db }) => snapshot(db, (tx) => describe(tx, terms)),
      }),
    )
    .put(
      ...guard.action('/next-terms', {
        action: 'raffle.next-terms',
        about: 'Saves the draft of the terms with which the next event opens, as a whole',
        body: draftBody,
        refusals: ['DATE_IN_PAST', 'DATE_TOO_FAR'],
        fresh: false, // A draft: what opens the event asks.
        run: async ({ db, body: { version: revision, minTicketsForDraw, ...rest }, record }) => {
          const before = await getDraft(db)
          const draft = { ...emptyDraft, ...rest, minTickets: minTicketsForDraw ?? null }
          await saveDraft(db, draft, { terms, revision })
          record({ before: drafted(before), after: drafted(draft) })
          return describe(db, terms)
        },
      }),
    )
    .delete(
      ...guard.action('/next-terms', {
        action: 'raffle.discard-terms',
        about: 'Discards this draft',
        query: discardQuery,
        fresh: false, // As above.
        run: async ({ db, query, record }) => {
          const before = await getDraft(db)
          await discardDraft(db, query.version)
          record({ before: drafted(before) })
          return describe(db, terms)
        },
      }),
    )

async function describe(db: Db, environment: EnvTerms) {
  const open = await mustHaveEvent(db)
  const draft = await getDraft(db)
  const { terms: next, line } = await previewNext(db, open, environment)
  return {
    eventNumber: next.number,
    draft: drafted(draft),
    savedAt: draft.savedAt?.toISOString() ?? null,
    current: promised(open),
    next: promised(next),
    terms: line,
    // No event is opened while a winner is being announced.
    canOpen: await isOver(db, open).catch(() => false),
    version: draft.revision,
  }
}

const drafted = (draft: DraftedTerms) => ({
  drawDate: draft.drawDate?.toISOString() ?? null,
  minTicketsForDraw: draft.minTickets,
  autoDraw: draft.autoDraw,
  claimDays: draft.claimDays,
  entropy: draft.entropy,
})

type Terms = Omit<Awaited<ReturnType<typeof previewNext>>['terms'], 'content'>

/** What an event promises, as both forms have it. */
export const termsInForm = (terms: Terms) => ({
  drawDate: terms.drawDate?.toISOString() ?? null,
  saleEndDate: terms.saleEnd?.toISOString() ?? null,
  minTicketsForDraw: terms.minTickets,
  entropy: terms.entropy,
  winners: terms.winners,
  prizes: promisesOf(terms).map(formOf),
  saleLeadSeconds: terms.saleLeadSeconds,
  operatorWallet: terms.operatorWallet && getAddress(terms.operatorWallet),
})

const promised = (terms: Terms) => ({
  ...termsInForm(terms),
  autoDraw: terms.autoDraw,
  claimDays: terms.claimDays,
  ticketPrice: Number(centsOf(terms.ticketPrice)) / 100,
  chainId: terms.chainId,
  tokenAddress: getAddress(terms.token),
})

export const eventSettingsRoutes = ({ admin, allowedOrigins }: Deps, guard: AdminGuard) => {
  const storage = openStorage(admin.storageUrl)
  const origins = ownOrigins(admin.publicApiUrl, allowedOrigins)
  return new Elysia({ prefix: '/api/admin/event' })
    .get(
      ...guard.read('/settings', {
        about: 'What the Next Event section tells',
        run: ({ db }) => getEventSettings(db),
      }),
    )
    .post(
      ...guard.action('/settings', {
        action: 'event.settings',
        about: 'Changes it; an empty field is left alone, null clears it',
        body: settingsBody,
        refusals: ['NO_CHANGES'],
        values: async ({ db, body, request }) => {
          expectNews(body)
          refuseOtherAddress(body, (await getOpenEvent(db))?.operatorWallet)
          if (body.prizeImageUrl) await expectOwnImage(body.prizeImageUrl, storage, origins(request))
        },
        run: async ({ db, body: { version: seen, ...patch }, record }) => {
          const { before, after } = await updateEventSettings(db, patch, seen)
          record({ before, after })
          return after
        },
      }),
    )
}

/** At least one text or date is given. */
function expectNews(body: Decoded<typeof settingsBody>): void {
  const { isActive, version, ...texts } = body
  if (Object.values(texts).every((value) => value === undefined))
    throw new RaffleError('NO_CHANGES', { reason: 'none' })
}

/** Throws INVALID_URL for any picture that was not uploaded here, or whose upload was never finished:
 * visitors' browsers must ask nobody else for it, and find it. */
async function expectOwnImage(url: string, storage: Storage, origins: readonly string[]): Promise<void> {
  const key = ownImageKey(url, origins)
  if (key && (await storage.open(key))) return
  throw new RaffleError('INVALID_URL', { reason: key ? 'unfinished' : 'image', field: 'prizeImageUrl' })
}

/** Origins under which an image of ours may be given by its full URL: those of the settings; without any, or
 * on this machine itself, the one that the call was sent to. */
function ownOrigins(publicApiUrl: string | undefined, allowedOrigins: readonly string[]) {
  const known = [...allowedOrigins, ...(publicApiUrl ? [publicApiUrl.replace(/\/$/, '')] : [])]
  return (request: Request): string[] => {
    const { origin, hostname } = new URL(request.url)
    const isTaken = known.length === 0 || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    return isTaken ? [...known, origin, origin.replace(/^http:/, 'https:')] : known
  }
}
