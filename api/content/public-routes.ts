import { Elysia } from 'elysia'
import { eventCalendar } from '../../core/content/calendar.ts'
import { RaffleError } from '../../core/errors.ts'
import { noBranding } from '../../core/house/branding.ts'
import { loadCalendar, loadContent } from '../../db/content/contents.ts'
import { loadEventPage } from '../../db/content/page.ts'
import { siteName } from '../../site/src/event/served-brand.ts'
import type { Deps } from '../deps.ts'
import { notModified } from '../http/answers.ts'
import { eventRoute } from '../http/event-route.ts'
import { answerReady, ready, rememberByVersion, shared, sharedFresh } from '../http/ready.ts'
import { route } from '../http/route.ts'
import { eventInPath } from '../http/values.ts'
import { notLoaded } from '../live/state.ts'
import { calendarQuery, eventPage, publicContent } from './schema.ts'

const more =
  'Made once a version of the public state, and served from memory; the last one while the database is gone.'

/** What events raffle and where they stand, running ones and archived ones. */
export const publicContentRoutes = (deps: Pick<Deps, 'db' | 'state' | 'allowedOrigins'>) => {
  const { db, state, allowedOrigins } = deps
  const calendars = rememberByVersion(
    () => state.version,
    (event) => loadCalendar(db, event),
  )
  const [site] = allowedOrigins

  return new Elysia({ prefix: '/api/raffle' })
    .get(
      '/event/:eventNumber',
      ...eventRoute(deps, {
        about: 'All that the page of an event tells',
        more,
        answer: eventPage,
        load: async (db, event) => {
          if (!state.isLoaded) throw notLoaded()
          return loadEventPage(db, event, new Date(state.now()))
        },
        caching: sharedFresh, // It names the wallet.
        missing: 'event',
      }),
    )
    .get(
      '/content/:eventNumber',
      ...eventRoute(deps, {
        about: 'What an event raffles, and what of it the terms promise',
        more,
        answer: publicContent,
        load: loadContent,
        caching: shared,
        missing: 'event',
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
