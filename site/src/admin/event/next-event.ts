import type { EventContent } from '../../../../core/content/event-content.ts'
import type { PublicEventSettings } from '../../../../core/live/public.ts'
import { contentFields } from '../content/content-fields.ts'
import {
  discardContent,
  loadNextContent,
  loadOpenContent,
  saveNextContent,
} from '../content/content-source.ts'
import { api, type NextTerms } from '../session/api.ts'
import { call } from '../session/session.ts'
import type { Body } from '../ui/draft.ts'
import { type NextFields, noticeFields, termsBody } from './next-form.tsx'

const terms = api.raffle['next-terms']
const { settings } = api.event

/** All that is prepared for the next event: what is announced of it, and the drafts of its terms and its content. */
export type NextEvent = {
  terms: NextTerms
  /** What its fields show. */
  saved: Omit<NextTerms['draft'], 'winners' | 'prizes'> &
    EventContent &
    PublicEventSettings & { eventNumber: number }
  /** Without a draft the next event takes over the content of the open one. */
  isContentDrafted: boolean
  last: EventContent
  version: string
}

/** Each part is saved with the version of its own. */
type Versions = { terms: number; content: number; settings: string | null }
const versionOf = (versions: Versions): string => JSON.stringify(versions)
const versionsIn = (version: string) => JSON.parse(version) as Versions

export async function loadNextEvent(): Promise<NextEvent> {
  const [found, content, open, announced] = await Promise.all([
    call(() => terms.get()),
    loadNextContent(),
    loadOpenContent(),
    call(() => settings.get()),
  ])
  const last = open.content as EventContent
  const { eventNumber } = found
  return {
    ...{ terms: found, last, isContentDrafted: content.draft !== null },
    saved: { ...found.draft, ...(content.draft ?? content.next ?? last), ...announced, eventNumber },
    version: versionOf({ terms: found.version, content: content.version, settings: announced.updatedAt }),
  }
}

/** `undone`: what was there before, drafts that were none included. */
type Saving = { changed: readonly string[]; undone?: NextEvent | undefined }

/** Saves the parts that were changed, one after another; answers with the version that a next saving begins from. */
export async function saveNextEvent(
  { version, ...body }: Body<NextFields> & { version: string },
  { changed, undone }: Saving,
): Promise<string> {
  const versions = versionsIn(version)
  const isOf = (fields: object, name: string) => Object.hasOwn(fields, name)
  const notices = changed.filter((name) => isOf(noticeFields, name))
  if (changed.some((name) => !isOf(noticeFields, name) && !isOf(contentFields, name)))
    versions.terms =
      undone?.terms.savedAt === null
        ? await discardTerms(versions.terms)
        : (await call(() => terms.put(termsBody(body, versions.terms)))).version
  if (changed.some((name) => isOf(contentFields, name))) {
    const { title, lead, summary, prizes, shipping, links } = body as Required<typeof body>
    const content = { title, lead, summary, prizes, shipping, links }
    const saved = await (undone && !undone.isContentDrafted
      ? discardContent(versions.content)
      : saveNextContent(content, versions.content))
    versions.content = saved.version
  }
  if (notices.length > 0) {
    const written = Object.fromEntries(Object.entries(body).filter(([name]) => notices.includes(name)))
    const isActive = undone?.saved.isActive ?? true
    const saved = await call(() => settings.post({ ...written, isActive, version: versions.settings }))
    versions.settings = saved.updatedAt
  }
  return versionOf(versions)
}

const discardTerms = async (version: number): Promise<number> =>
  (await call(() => terms.delete(undefined, { query: { version: `${version}` } }))).version

/** Throws both drafts away: the next event then follows the server's settings and the open event. */
export async function discardNextEvent({ terms, isContentDrafted, version }: NextEvent): Promise<void> {
  const versions = versionsIn(version)
  if (terms.savedAt !== null) await discardTerms(versions.terms)
  if (isContentDrafted) await discardContent(versions.content)
}

/** Archives the event that is over and opens the next one: with the drafts that were seen, or not at all. */
export function openNextEvent({ version }: NextEvent) {
  const versions = versionsIn(version)
  return call(() =>
    api.raffle['open-next'].post({ version: versions.terms, contentVersion: versions.content }),
  )
}
