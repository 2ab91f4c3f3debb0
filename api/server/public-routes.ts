import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notModified } from '../http/answers.ts'
import { route } from '../http/route.ts'
import { parts } from '../live/schema.ts'
import type { Part } from '../live/state.ts'
import { publicPaths } from './metrics.ts'
import type { PublicAnswer } from './public-answers.ts'

const more =
  'Answered from memory. Carries an ETag and is 304 to If-None-Match; query parameters change nothing. `x-state-version` never goes back; `x-state: stale` while the database is gone.'

/**
 * The public state as routes of the app: for its types, its document, and tests without a port. The server
 * answers them before the app: in its own route table they cost nothing but the answer.
 */
export const publicRoutes = (answers: ReadonlyMap<string, PublicAnswer>) => {
  const ready = <A extends TSchema>(part: Part, answer: A, about: string) => {
    const ready = answers.get(publicPaths[part]) as PublicAnswer
    return route({ about, more, answer, also: notModified }, ({ request }) => ready(request))
  }
  return new Elysia()
    .get(publicPaths.config, ...ready('config', parts.config, 'Dates, wallet and terms of the current event'))
    .get(publicPaths.stats, ...ready('stats', parts.stats, 'Tickets sold and their price'))
    .get(publicPaths.recent, ...ready('recent', parts.recent, 'The newest purchases'))
    .get(publicPaths.winner, ...ready('winner', parts.winner, 'The announced winner, or null'))
    .get(publicPaths.drawStatus, ...ready('drawStatus', parts.drawStatus, 'Where the draw stands'))
    .get(publicPaths.history, ...ready('history', parts.history, 'Past events'))
    .get(
      publicPaths.eventSettings,
      ...ready('eventSettings', parts.eventSettings, 'What is said of the next event'),
    )
}
