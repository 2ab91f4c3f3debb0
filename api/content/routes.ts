import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Hex } from 'viem'
import { eventCalendar } from '../../core/content/calendar.ts'
import type { EventContent, Picture } from '../../core/content/event-content.ts'
import { contentSha256, promisedText } from '../../core/content/promised.ts'
import {
  type ContentForm,
  type NamedPicture,
  readContent,
  refuseOtherAddress,
} from '../../core/content/read-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { noBranding } from '../../core/house/branding.ts'
import { changeContent, isContentLocked, loadCalendar, loadContent } from '../../db/content/contents.ts'
import { loadEventPage } from '../../db/content/page.ts'
import { saveContentDraft } from '../../db/event/draft.ts'
import { getOpenEvent, mustHaveEvent } from '../../db/event/events.ts'
import { getDraft, nextContent } from '../../db/event/next.ts'
import { type Db, snapshot } from '../../db/index.ts'
import { salesCurve } from '../../db/report/sales.ts'
import { siteName } from '../../site/src/event/served-brand.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { discardQuery } from '../event/next-routes.ts'
import { answerReady, ready, rememberByVersion, shared, sharedFresh } from '../http/ready.ts'
import { eventRoute, notModified, route } from '../http/route.ts'
import type { Decoded } from '../http/schema.ts'
import { exact, invalid, read } from '../http/schema.ts'
import { eventInPath, oneOf, version } from '../http/values.ts'
import { notLoaded } from '../live/state.ts'
import { measure } from '../upload/image.ts'
import { openStorage, type Storage } from '../upload/storage.ts'

/** Read by core alone, whose refusals name the inner field: here it is only described. */
const content = read(
  t.Unsafe<ContentForm>(t.Any({ $ref: '#/components/schemas/ContentForm', ...invalid })),
  (value) => readContent(value),
)

/** A content of 20 prizes with long texts in both languages. @internal */
export const contentBytes = 262_144
const contentBody = exact({ content, version })

const more =
  'Made once a version of the public state, and served from memory; the last one while the database is gone.'

/** What events raffle, where they stand and how they sold, running ones and archived ones. */
export const publicContentRoutes = (deps: Deps) => {
  const { db, state, allowedOrigins } = deps
  const calendars = rememberByVersion(
    () => state.version,
    (event) => loadCalendar(db, event),
  )
  const [site] = allowedOrigins

  return new Elysia({ prefix: '/api/raffle' })
    .get(
      ...eventRoute(deps, '/sales/:eventNumber', {
        about: 'How many tickets were sold by when',
        more: 'At most 120 counts, each of all tickets so far. Answered from memory, with an ETag.',
        load: salesCurve,
        caching: 'public, max-age=0, s-maxage=5, stale-if-error=600',
        missing: 'event',
      }),
    )
    .get(
      ...eventRoute(deps, '/event/:eventNumber', {
        about: 'All that the page of an event tells',
        more,
        load: async (db, event) => {
          if (!state.isLoaded) throw notLoaded()
          return loadEventPage(db, event, new Date(state.now()))
        },
        caching: sharedFresh, // It names the wallet.
        missing: 'event',
      }),
    )
    .get(
      ...eventRoute(deps, '/content/:eventNumber', {
        about: 'What an event raffles, and what of it the terms promise',
        more,
        load: loadContent,
        caching: shared,
        missing: 'event',
      }),
    )
    .get(
      ...route('/calendar/:eventNumber', {
        about: 'Sale end and draw of an event, for calendars',
        more: 'iCalendar (RFC 5545). A moved date moves the entry. 404 without a draw date.',
        params: eventInPath,
        query: t.Object({ lang: oneOf(['en', 'ko'] as const) }),
        file: { type: 'text/calendar', about: 'Two entries.' },
        also: notModified,
        run: async ({ params: { eventNumber }, query: { lang = 'en' }, request }) => {
          const facts = await calendars(eventNumber)
          if (!facts) throw new RaffleError('NOT_FOUND', { reason: 'date' })
          const host = new URL(site ?? request.url).hostname
          const name = siteName(state.current?.config.branding ?? noBranding)
          const text = eventCalendar(facts, lang, { name, host, site })
          const headers = {
            'content-type': 'text/calendar; charset=utf-8',
            'content-disposition': `attachment; filename="blockdraw-event-${eventNumber}.ics"`,
            'cache-control': shared,
          }
          return answerReady(request, ready(text, headers))
        },
      }),
    )
}

export const contentRoutes = ({ admin }: Deps, guard: AdminGuard) => {
  const storage = openStorage(admin.storageUrl)
  /** Its images are read before anything is locked: later what they said is remembered. */
  const looked = async ({ db, body: { content } }: { db: Db; body: Decoded<typeof contentBody> }) => {
    refuseOtherAddress(content, (await getOpenEvent(db))?.operatorWallet, 'content')
    await withPictures(content, storage)
  }
  return new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      ...guard.read('/next-content', {
        about: 'What the next event will raffle',
        run: ({ db }) => snapshot(db, describeNext),
      }),
    )
    .put(
      ...guard.action('/next-content', {
        action: 'raffle.next-content',
        about: 'Saves the draft of what the next event raffles, as a whole',
        more: 'Winners and prizes of the next event follow from it: what the draft of the terms says of them gives way.',
        body: contentBody,
        bodyBytes: contentBytes,
        refusals: ['INVALID_URL', 'BUSY'],
        fresh: false, // A draft: what opens the event asks.
        values: looked,
        run: async ({ db, body: { content: form, version: revision }, record }) => {
          const content = await withPictures(form, storage)
          const before = await draftedSha256(db)
          await saveContentDraft(db, content, { revision })
          const next = await describeNext(db)
          record({ before: { contentSha256: before }, after: { contentSha256: next.contentSha256 } })
          return next
        },
      }),
    )
    .delete(
      ...guard.action('/next-content', {
        action: 'raffle.discard-content',
        about: 'Discards this draft',
        query: discardQuery,
        fresh: false, // As above.
        run: async ({ db, query: { version: revision }, record }) => {
          const before = await draftedSha256(db)
          await saveContentDraft(db, null, { revision })
          record({ before: { contentSha256: before } })
          return describeNext(db)
        },
      }),
    )
    .get(
      ...guard.read('/content', {
        about: 'What the open event raffles',
        run: ({ db }) => snapshot(db, describeOpen),
      }),
    )
    .put(
      ...guard.action('/content', {
        action: 'raffle.content',
        about: 'Changes what the open event raffles, and with it its winners and prizes',
        more: 'Until a payment has got a ticket; links also later.',
        body: contentBody,
        bodyBytes: contentBytes,
        refusals: ['EVENT_LOCKED', 'INVALID_URL', 'BUSY'],
        values: looked,
        run: async ({ db, body: { content: form, version: revision }, record }) => {
          const content = await withPictures(form, storage)
          const { contentSha256: before } = await mustHaveEvent(db)
          const { number, contentSha256: after } = await changeContent(db, content, { revision })
          record({ before: { contentSha256: before }, after: { eventNumber: number, contentSha256: after } })
          return describeOpen(db)
        },
      }),
    )
}

async function draftedSha256(db: Db): Promise<Hex | null> {
  const { content } = await getDraft(db)
  return content && contentSha256(content)
}

async function describeNext(db: Db) {
  const open = await mustHaveEvent(db)
  const [draft, next] = [await getDraft(db), await nextContent(db, open)]
  return {
    eventNumber: open.number + 1,
    /** Null while there is no draft: the next event then takes over the open one's. */
    draft: draft.content,
    next,
    contentSha256: next && contentSha256(next),
    promised: next && promisedText(next),
    version: draft.contentRevision,
  }
}

async function describeOpen(db: Db) {
  const event = await mustHaveEvent(db)
  const content = await loadContent(db, event.number)
  if (!content) throw new Error('The open event has no content record.')
  return {
    ...content,
    /** Only links change: a payment has got a ticket, or the sale is over. */
    isLocked: isContentLocked(event),
    /** Of the next `PUT`: the open event's, which `raffle/config` has too. */
    version: event.revision,
  }
}

/** A content with what its stored images say of themselves. Throws INVALID_VALUE for a key that is not
 * stored, and for a hash or a size that was sent and differs. One image at a time: each may have 5 MiB. */
async function withPictures(form: ContentForm, storage: Storage): Promise<EventContent> {
  const prizes: EventContent['prizes'][number][] = []
  for (const [index, prize] of form.prizes.entries()) {
    const pictures: Picture[] = []
    for (const [place, named] of prize.pictures.entries())
      pictures.push(await measured(named, storage, `content.prizes.${index}.pictures.${place}`))
    prizes.push({ ...prize, pictures })
  }
  return { ...form, prizes }
}

async function measured(named: NamedPicture, storage: Storage, name: string): Promise<Picture> {
  const { key, alt } = named
  const told = await measure(key, storage)
  if (!told) throw new RaffleError('INVALID_VALUE', { reason: 'unfinished', field: `${name}.key` })
  for (const field of ['sha256', 'width', 'height'] as const)
    if (named[field] !== undefined && named[field] !== told[field])
      throw new RaffleError('INVALID_VALUE', { reason: 'otherImage', field: `${name}.${field}` })
  return { key, ...told, alt }
}
