import { Elysia } from 'elysia'
import { refuseOtherAddress } from '../../core/content/other-address.ts'
import { promisedText } from '../../core/content/promised.ts'
import type { AdminContent, NextContent } from '../../core/content/public-content.ts'
import { RaffleError } from '../../core/errors.ts'
import { draftedContent, nextContent, savedContent, versionsOf } from '../../db/content/contents.ts'
import { addCorrection, correctionsOf } from '../../db/content/corrections.ts'
import { saveContentDraft } from '../../db/content/draft.ts'
import { contentRevision } from '../../db/content/draft-row.ts'
import { changeContent, isContentLocked } from '../../db/content/open-event.ts'
import { loadContent } from '../../db/content/public.ts'
import { getOpenEvent, mustHaveEvent } from '../../db/event/events.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { discardQuery } from '../event/next-schema.ts'
import type { Decoded } from '../http/schema.ts'
import { openStorage } from '../upload/storage.ts'
import { withPictures } from './pictures.ts'
import {
  adminContent,
  contentBody,
  contentBytes,
  correctionBody,
  nextContent as nextAnswer,
  savedCorrection,
  savedVersion,
  versionInPath,
} from './schema.ts'

/** What the open event raffles, what the next one will, and corrections. */
export const contentRoutes = ({ admin }: Pick<Deps, 'admin'>, guard: AdminGuard) => {
  const storage = openStorage(admin.storageUrl)
  /** Its images are read before anything is locked: later what they said is remembered. */
  const looked = async ({ db, body: { content } }: { db: Db; body: Decoded<typeof contentBody> }) => {
    refuseOtherAddress(content, (await getOpenEvent(db))?.operatorWallet, 'content')
    await withPictures(content, storage)
  }
  return new Elysia({ prefix: '/api/admin/raffle' })
    .get(
      '/next-content',
      ...guard.read({ about: 'What the next event will raffle', answer: nextAnswer }, ({ db }) =>
        snapshot(db, describeNext),
      ),
    )
    .put(
      '/next-content',
      ...guard.action(
        'raffle.next-content',
        {
          about: 'Saves the draft of what the next event raffles, as a whole',
          more: 'Winners and prizes of the next event follow from it: what the draft of the terms says of them gives way.',
          body: contentBody,
          bodyBytes: contentBytes,
          answer: nextAnswer,
          refusals: ['VERSION_CONFLICT', 'INVALID_URL', 'BUSY'],
          fresh: false, // A draft: what opens the event asks.
          values: looked,
        },
        async ({ db, body: { content: form, version: revision }, admin, record }) => {
          const content = await withPictures(form, storage)
          const before = (await draftedContent(db))?.contentSha256 ?? null
          await saveContentDraft(db, content, { savedBy: admin.username, revision })
          const next = await describeNext(db)
          record({ before: { contentSha256: before }, after: { contentSha256: next.contentSha256 } })
          return next
        },
      ),
    )
    .delete(
      '/next-content',
      ...guard.action(
        'raffle.discard-content',
        {
          about: 'Discards this draft',
          query: discardQuery,
          answer: nextAnswer,
          refusals: ['VERSION_CONFLICT'],
          fresh: false, // As above.
        },
        async ({ db, query: { version: revision }, admin: { username: savedBy }, record }) => {
          const before = (await draftedContent(db))?.contentSha256 ?? null
          await saveContentDraft(db, null, { savedBy, revision })
          record({ before: { contentSha256: before } })
          return describeNext(db)
        },
      ),
    )
    .get(
      '/content',
      ...guard.read(
        { about: 'What the open event raffles, and its saved versions', answer: adminContent },
        ({ db }) => snapshot(db, describeOpen),
      ),
    )
    .put(
      '/content',
      ...guard.action(
        'raffle.content',
        {
          about: 'Changes what the open event raffles, and with it its winners and prizes',
          more: 'Until a payment has got a ticket.',
          body: contentBody,
          bodyBytes: contentBytes,
          answer: adminContent,
          refusals: ['VERSION_CONFLICT', 'EVENT_LOCKED', 'INVALID_URL', 'BUSY'],
          values: looked,
        },
        async ({ db, body: { content: form, version: revision }, admin, record }) => {
          const content = await withPictures(form, storage)
          const { contentSha256: before } = await mustHaveEvent(db)
          const saved = { savedBy: admin.username, revision }
          const { number, contentSha256 } = await changeContent(db, content, saved)
          record({
            before: { contentSha256: before },
            after: { eventNumber: number, contentSha256 },
          })
          return describeOpen(db)
        },
      ),
    )
    .get(
      '/content-version/:id',
      ...guard.read(
        { about: 'A saved version', params: versionInPath, answer: savedVersion, refusals: ['NOT_FOUND'] },
        async ({ db, params: { id } }) => {
          const found = await savedContent(db, id)
          if (!found) throw new RaffleError('NOT_FOUND', '그런 버전이 없습니다.')
          return { ...found, savedAt: found.savedAt.toISOString() }
        },
      ),
    )
    .post(
      '/corrections',
      ...guard.action(
        'raffle.correction',
        {
          about: 'Adds to what is said of an event, in public; it is never changed or taken back',
          body: correctionBody,
          answer: savedCorrection,
          refusals: ['NOT_FOUND', 'EVENT_LOCKED'],
          values: async ({ db, body: { text } }) =>
            refuseOtherAddress(text, (await getOpenEvent(db))?.operatorWallet, 'text'),
        },
        async ({ db, body: { eventNumber: named, text }, admin: { username }, record }) => {
          const eventNumber = named ?? (await mustHaveEvent(db)).number
          await addCorrection(db, eventNumber, text, username)
          record({ after: { eventNumber, text } })
          return { eventNumber, corrections: await correctionsOf(db, eventNumber) }
        },
      ),
    )
}

const snapshot = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function describeNext(db: Db): Promise<NextContent> {
  const open = await mustHaveEvent(db)
  const [draft, next] = [await draftedContent(db), await nextContent(db, open)]
  return {
    eventNumber: open.number + 1,
    draft: draft?.content ?? null,
    next: next?.content ?? null,
    contentSha256: next?.contentSha256 ?? null,
    promised: next ? promisedText(next.content) : null,
    savedAt: draft?.savedAt.toISOString() ?? null,
    savedBy: draft?.savedBy ?? null,
    version: await contentRevision(db),
  }
}

async function describeOpen(db: Db): Promise<AdminContent> {
  const event = await mustHaveEvent(db)
  const content = await loadContent(db, event.number)
  if (!content) throw new Error('The open event has no content record.')
  return {
    ...content,
    isLocked: await isContentLocked(db, event),
    versions: await versionsOf(db, event),
    version: event.revision,
  }
}
