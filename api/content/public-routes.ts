import { Elysia } from 'elysia'
import { eventCalendar } from '../../core/content/calendar.ts'
import { RaffleError } from '../../core/errors.ts'
import { noBranding } from '../../core/house/branding.ts'
import { loadCalendar, loadContent } from '../../db/content/contents.ts'
import { loadEventPage } from '../../db/content/page.ts'
import { siteName } from '../../site/src/event/served-brand.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { answerReady, ready, readyJson, rememberByVersion, shared, sharedFresh } from '../http/ready.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { notLoaded } from '../live/state.ts'
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
    // It names the wallet.
    return page && readyJson(page, sharedFresh)
  })
  const contents = rememberByVersion(version, async (event) => {
    const content = await loadContent(db, event)
    return content && readyJson(content, shared)
  })
  const calendars = rememberByVersion(version, (event) => loadCalendar(db, event))
  const unknown = () => new RaffleError('NOT_FOUND', { reason: 'event' })
  const [site] = allowedOrigins

  return new Elysia({ prefix: '/api/raffle' })
    .get(
      '/event/:eventNumber',
      ...route({
        about: 'All that the page of an event tells',
        more,
        params: eventInPath,
        answer: eventPage,
        also: notModified,
        run: async ({ params: { eventNumber }, request }) => {
          const page = await pages(eventNumber)
          if (!page) throw unknown()
          return answerReady(request, page)
        },
      }),
    )
    .get(
      '/content/:eventNumber',
      ...route({
        about: 'What an event raffles, and what of it the terms promise',
        more,
        params: eventInPath,
        answer: publicContent,
        also: notModified,
        run: async ({ params: { eventNumber }, request }) => {
          const content = await contents(eventNumber)
          if (!content) throw unknown()
          return answerReady(request, content)
        },
      }),
    )
    .get(
      '/calendar/:eventNumber',
      ...route({
        about: 'Sale end and draw of an event, for calendars',
        more: 'iCalendar (RFC 5545). A moved date moves the entry. 404 without a draw date.',
        params: eventInPath,
        query: calendarQuery,
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
            'content-disposition': `inline; filename="blockdraw-event-${eventNumber}.ics"`,
            'cache-control': shared,
          }
          return answerReady(request, ready(text, headers))
        },
      }),
    )
}
