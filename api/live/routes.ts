import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { notLoaded } from '../server/public-answers.ts'
import { snapshotEvent } from './events.ts'
import type { LiveHub } from './hub.ts'

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
