import { RaffleError } from '../../core/errors.ts'
import { matches } from '../live/cached-response.ts'
import type { LiveState, Part } from '../live/state.ts'
import { parts } from '../live/state.ts'
import { type Metrics, publicPaths } from './metrics.ts'

export type PublicAnswer = (request: Request) => Response

/** Answers to the public calls, by path: ready bytes, no SQL, and a timestamp parameter changes nothing. */
export function publicAnswers(
  state: LiveState,
  metrics: Metrics,
  checkHost: (host: string | null) => void,
): ReadonlyMap<string, PublicAnswer> {
  const { countPublic: count } = metrics
  const answer = (part: Part, slot: number) => (request: Request) => {
    const asked = request.headers
    checkHost(asked.get('host'))
    const ready = state.part(part)
    if (!ready) throw notLoaded()
    const ifNoneMatch = asked.get('if-none-match')
    if (ifNoneMatch !== null && matches(ifNoneMatch, ready.etag)) {
      count(slot + 1)
      return new Response(null, { status: 304, headers: ready.headers })
    }
    count(slot)
    return new Response(ready.body, { headers: ready.headers })
  }
  return new Map(parts.map((part, index) => [publicPaths[part], answer(part, index * 2)]))
}

export const notLoaded = (): RaffleError =>
  new RaffleError('DB_UNAVAILABLE', 'The raffle is being loaded. Try again in a moment.')
