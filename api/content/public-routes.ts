import { Elysia } from 'elysia'
import { eventCalendar } from '../../core/content/calendar.ts'
import { RaffleError } from '../../core/errors.ts'
import { loadCalendar, loadContent } from '../../db/content/contents.ts'
import { loadEventPage } from '../../db/content/page.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { rememberByVersion } from '../http/by-version.ts'
import { answerCached, cachedText } from '../http/cached-text.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { etagOf, matches, shared, sharedFresh } from '../live/cached-response.ts'
import { notLoaded } from '../server/public-answers.ts'
import { calendarQuery, eventPage, publicContent } from './schema.ts'

const more =
  'Made once a version of the public state, and served from memory; the last one while the database is gone.'

/** What events raffle and where they stand, running ones and archived ones. */
export const publicContentRoutes = ({
  db,
  state,
  allowedOrigins,
}: Pick<Deps, 'db' | 'state' | 'allowedOrigins'>) => {
  const version = () => state.version
  const pages = rememberByVersion(version, async (event) => {
    if (!state.isLoaded) throw notLoaded()
    const page = await loadEventPage(db, event, new Date(state.now()))
    return page && cachedText(page)
  })
  const contents = rememberByVersion(version, async (event) => {
    const content = await loadContent(db, event)
    return content && cachedText(content)
  })
  const calendars = rememberByVersion(version, (event) => loadCalendar(db, event))
  const unknown = (event: number) => new RaffleError('NOT_FOUND', `There is no event ${event}.`)
  const [site] = allowedOrigins

  return new Elysia({ prefix: '/api/raffle' })
    .get(
      '/event/:eventNumber',
      ...route(
        {
          about: 'All that the page of an event tells',
          more,
          params: eventInPath,
          answer: eventPage,
          also: notModified,
        },
        async ({ params: { eventNumber }, request }) => {
          const page = await pages(eventNumber)
          if (!page) throw unknown(eventNumber)
          // It names the wallet.
          return answerCached(request, page, sharedFresh)
        },
      ),
    )
    .get(
      '/content/:eventNumber',
      ...route(
        {
          about: 'What an event raffles, and what of it the terms promise',
          more,
          params: eventInPath,
          answer: publicContent,
          also: notModified,
        },
        async ({ params: { eventNumber }, request }) => {
          const content = await contents(eventNumber)
          if (!content) throw unknown(eventNumber)
          return answerCached(request, content, shared)
        },
      ),
    )
    .get(
      '/calendar/:eventNumber',
      ...route(
        {
          about: 'Sale end and draw of an event, for calendars',
          more: 'iCalendar (RFC 5545). A moved date moves the entry. 404 without a draw date.',
          params: eventInPath,
          query: calendarQuery,
          file: { type: 'text/calendar', about: 'Two entries.' },
          also: notModified,
        },
        async ({ params: { eventNumber }, query: { lang = 'en' }, request }) => {
          const facts = await calendars(eventNumber)
          if (!facts) throw new RaffleError('NOT_FOUND', `Event ${eventNumber} has no draw date.`)
          const host = new URL(site ?? request.url).hostname
          const text = eventCalendar(facts, lang, { host, site })
          const etag = etagOf(text)
          const headers = {
            'content-type': 'text/calendar; charset=utf-8',
            'content-disposition': `inline; filename="blockdraw-event-${eventNumber}.ics"`,
            ...{ 'cache-control': shared, 'x-content-type-options': 'nosniff', etag },
          }
          return matches(request.headers.get('if-none-match') ?? '', etag)
            ? new Response(null, { status: 304, headers })
            : new Response(text, { headers })
        },
      ),
    )
}
