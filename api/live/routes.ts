import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'
import { route } from '../http/route.ts'
import { notLoaded } from '../server/public-answers.ts'
import { snapshotEvent } from './events.ts'
import type { LiveHub } from './hub.ts'
import { beat, change, snapshot } from './schema.ts'

/**
 * Server-sent events: a snapshot on connection, then the changes. A client that reconnects with a
 * Last-Event-ID gets a snapshot too. Beats come more often than the server's idle timeout.
 */
export const liveRoutes = ({ state, addresses }: Pick<Deps, 'state' | 'addresses'>, hub: LiveHub) => {
  const addressOf = clientAddress(addresses)
  return new Elysia().get(
    '/api/live',
    ...route(
      {
        about: 'The whole public state, and then its changes, as server-sent events',
        more: 'Event `snapshot` comes with the connection, `change` when something changed, `beat` every 5 s, `close` when the server is restarted. `id` is the version. 20 streams an address, 80 an IPv6 /48.',
        file: {
          type: 'text/event-stream',
          about: 'Events whose data is a LiveSnapshot, LiveChange or LiveBeat.',
          schema: t.Union([snapshot, change, beat]),
        },
      },
      ({ request, server }) => {
        const known = state.snapshot()
        if (!known) throw notLoaded()
        const address = addressOf(request, server?.requestIP(request)?.address)
        return new Response(hub.open(address, snapshotEvent(known)), {
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store, no-transform',
            'x-accel-buffering': 'no',
          },
        })
      },
    ),
  )
}
