import { Elysia } from 'elysia'
import { clientAddress } from '../address.ts'
import type { Deps } from '../deps.ts'
import { snapshotEvent } from '../live-events.ts'
import type { LiveHub } from '../live-hub.ts'
import { notLoaded } from '../public-answers.ts'

/**
 * Server-sent events: a snapshot with the connection, then what changed. Whoever comes back with a
 * Last-Event-ID gets a snapshot too. Beats keep the connection busier than the server's idle time.
 */
export const liveRoutes = ({ state, addresses }: Pick<Deps, 'state' | 'addresses'>, hub: LiveHub) => {
  const addressOf = clientAddress(addresses)
  return new Elysia().get('/api/live', ({ request, server }) => {
    const snapshot = state.snapshot()
    if (!snapshot) throw notLoaded()
    const address = addressOf(request, server?.requestIP(request)?.address)
    return new Response(hub.open(address, snapshotEvent(snapshot)), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  })
}
