import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import type { Part } from '../live-state.ts'

/** May be shared by a CDN for a second, and shown a while longer when we are gone. */
const sharedHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=0, s-maxage=1, stale-while-revalidate=30, stale-if-error=600',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, date, x-state',
  'x-content-type-options': 'nosniff',
}

/** Public calls that are answered from memory: no SQL, and a timestamp parameter changes nothing. */
export const publicRoutes = ({ state }: Pick<Deps, 'state'>) => {
  const answer = (part: Part, request: Request): Response => {
    const ready = state.part(part)
    if (!ready) throw new RaffleError('DB_UNAVAILABLE', 'The raffle is being loaded. Try again in a moment.')
    const headers = { ...sharedHeaders, etag: ready.etag, ...(state.isStale && { 'x-state': 'stale' }) }
    return request.headers.get('if-none-match')?.includes(ready.etag)
      ? new Response(null, { status: 304, headers })
      : new Response(ready.body as Uint8Array<ArrayBuffer>, { headers })
  }
  return new Elysia()
    .get('/api/raffle/config', ({ request }) => answer('config', request))
    .get('/api/raffle/stats', ({ request }) => answer('stats', request))
    .get('/api/raffle/winner', ({ request }) => answer('winner', request))
    .get('/api/raffle/draw-status', ({ request }) => answer('drawStatus', request))
    .get('/api/raffle/history', ({ request }) => answer('history', request))
    .get('/api/tickets/recent', ({ request }) => answer('recent', request))
    .get('/api/event/settings', ({ request }) => answer('eventSettings', request))
}
