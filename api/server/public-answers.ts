import { Elysia } from 'elysia'
import type { PublicState } from '../../core/live/public.ts'
import { answerReady, type Sent } from '../http/ready.ts'
import { notModified, route } from '../http/route.ts'
import { type LiveState, notLoaded, type Part, parts, publicPaths } from '../live/state.ts'
import type { Metrics } from './metrics.ts'

export type PublicAnswer = (request: Request) => Response

/** Answers to the public calls, by path: ready bytes without SQL; a timestamp parameter has no effect. */
export function publicAnswers(
  state: LiveState,
  metrics: Metrics,
  checkHost: (host: string | null) => void,
): ReadonlyMap<string, PublicAnswer> {
  const { countPublic: count } = metrics
  const answer = (part: Part, slot: number) => (request: Request) => {
    checkHost(request.headers.get('host'))
    const ready = state.part(part)
    if (!ready) throw notLoaded()
    const response = answerReady(request, ready)
    count(response.status === 304 ? slot + 1 : slot)
    return response
  }
  return new Map(parts.map((part, index) => [publicPaths[part], answer(part, index * 2)]))
}

const more =
  'Answered from memory. Carries an ETag and is 304 to If-None-Match; query parameters change nothing. `x-state-version` never goes back; `x-state: stale` while the database is gone.'

/** The public state as routes of the app: for types, OpenAPI, and tests without a port. On a port the server
 * answers them before the app, from its own route table, which is faster. */
export const publicRoutes = (answers: ReadonlyMap<string, PublicAnswer>) => {
  const ready = <P extends Part>(part: P, about: string) => {
    const path = publicPaths[part]
    const ready = answers.get(path) as PublicAnswer
    const run = ({ request }: { request: Request }) => ready(request) as Sent<PublicState[P]>
    return route(path, { about, more, also: notModified, run })
  }
  return new Elysia()
    .get(...ready('config', 'Dates, wallet and terms of the current event'))
    .get(...ready('stats', 'Tickets sold and their price'))
    .get(...ready('recent', 'The newest purchases'))
    .get(...ready('winner', 'The announced winner, or null'))
    .get(...ready('winners', 'All announced winners, then the reserves'))
    .get(...ready('prizes', 'What became of the prizes of the announced winners'))
    .get(...ready('drawStatus', 'Where the draw stands'))
    .get(...ready('history', 'Past events'))
    .get(...ready('eventSettings', 'What is said of the next event'))
    .get(...ready('solvency', 'What the wallets hold, and what is owed'))
    .get(...ready('rules', 'Rules that the operator has switched on: age, texts, countries, breaks'))
}
