import { Elysia } from 'elysia'
import type { Hex } from 'viem'
import type { AdminContent, NextContent } from '../../core/content/event-content.ts'
import { contentSha256, promisedText } from '../../core/content/promised.ts'
import { refuseOtherAddress } from '../../core/content/read-content.ts'
import { changeContent, isContentLocked, loadContent } from '../../db/content/contents.ts'
import { getDraft, saveContentDraft } from '../../db/event/draft.ts'
import { getOpenEvent, mustHaveEvent } from '../../db/event/events.ts'
import { nextContent } from '../../db/event/next.ts'
import type { Db } from '../../db/index.ts'
import type { AdminGuard } from '../auth/guard.ts'
import type { Deps } from '../deps.ts'
import { discardQuery } from '../event/next-schema.ts'
import type { Decoded } from '../http/schema.ts'
import { openStorage } from '../upload/storage.ts'
import { withPictures } from './pictures.ts'
import { adminContent, contentBody, contentBytes, nextContent as nextAnswer } from './schema.ts'

/** What the open event raffles, and what the next one will. */
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
      ...guard.read({
        about: 'What the next event will raffle',
        answer: nextAnswer,
        run: ({ db }) => snapshot(db, describeNext),
      }),
    )
    .put(
      '/next-content',
      ...guard.action({
        action: 'raffle.next-content',
        about: 'Saves the draft of what the next event raffles, as a whole',
        more: 'Winners and prizes of the next event follow from it: what the draft of the terms says of them gives way.',
        body: contentBody,
        bodyBytes: contentBytes,
        answer: nextAnswer,
        refusals: ['VERSION_CONFLICT', 'INVALID_URL', 'BUSY'],
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
      '/next-content',
      ...guard.action({
        action: 'raffle.discard-content',
        about: 'Discards this draft',
        query: discardQuery,
        answer: nextAnswer,
        refusals: ['VERSION_CONFLICT'],
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
      '/content',
      ...guard.read({
        about: 'What the open event raffles',
        answer: adminContent,
        run: ({ db }) => snapshot(db, describeOpen),
      }),
    )
    .put(
      '/content',
      ...guard.action({
        action: 'raffle.content',
        about: 'Changes what the open event raffles, and with it its winners and prizes',
        more: 'Until a payment has got a ticket; links also later.',
        body: contentBody,
        bodyBytes: contentBytes,
        answer: adminContent,
        refusals: ['VERSION_CONFLICT', 'EVENT_LOCKED', 'INVALID_URL', 'BUSY'],
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

const snapshot = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function draftedSha256(db: Db): Promise<Hex | null> {
  const { content } = await getDraft(db)
  return content && contentSha256(content)
}

async function describeNext(db: Db): Promise<NextContent> {
  const open = await mustHaveEvent(db)
  const [draft, next] = [await getDraft(db), await nextContent(db, open)]
  return {
    eventNumber: open.number + 1,
    draft: draft.content,
    next: next?.content ?? null,
    contentSha256: next?.contentSha256 ?? null,
    promised: next ? promisedText(next.content) : null,
    version: draft.contentRevision,
  }
}

async function describeOpen(db: Db): Promise<AdminContent> {
  const event = await mustHaveEvent(db)
  const content = await loadContent(db, event.number)
  if (!content) throw new Error('The open event has no content record.')
  return {
    ...content,
    isLocked: await isContentLocked(db, event),
    version: event.revision,
  }
}
