import { Type as t } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { route } from '../http/route.ts'
import type { LiveAnswer } from './answer.ts'
import { beat, change, snapshot } from './schema.ts'

/**
 * Server-sent events: a snapshot on connection, then the changes. A client that reconnects with a
 * Last-Event-ID gets a snapshot too. Beats come more often than the server's idle timeout. On a port the server
 * answers it before the app, from its own route table.
 */
export const liveRoutes = (answer: LiveAnswer) =>
  new Elysia().get(
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
      ({ request, server }) => answer(request, server?.requestIP(request)?.address),
    ),
  )
