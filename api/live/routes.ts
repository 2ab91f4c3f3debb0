import { Elysia } from 'elysia'
import { RaffleError } from '../../core/errors.ts'
import type { LiveBeat, LiveChange, PublicState } from '../../core/live/public.ts'
import type { Deps } from '../deps.ts'
import { type AddressRules, type Call, visitors } from '../http/client-address.ts'
import { corsHeaders, safeHeaders } from '../http/origin.ts'
import { route } from '../http/route.ts'
import type { LiveHub } from './hub.ts'
import type { LiveState } from './state.ts'
import { notLoaded } from './state.ts'

/** `health`: the process answers. `ready`: it has loaded a state and is not shutting down. */
export const healthRoutes = ({ state }: Pick<Deps, 'state'>, isStopping: () => boolean) =>
  new Elysia()
    .get(...route('/api/health', { about: 'The process answers', run: () => ({ status: 'ok' as const }) }))
    .get(
      ...route('/api/ready', {
        about: 'It has a state to answer from and is not about to leave',
        refusals: ['BUSY'],
        run: () => {
          if (isStopping()) throw new RaffleError('BUSY', { reason: 'restart' })
          if (!state.isLoaded) throw notLoaded()
          return { status: 'ready' as const, stale: state.isStale, version: state.version }
        },
      }),
    )

/** A snapshot on connection, also with a Last-Event-ID, then the changes. Beats come more often than the
 * server's idle timeout. On a port the server's own table answers it. */
export const liveRoutes = (answer: LiveAnswer) =>
  new Elysia().get(
    ...route('/api/live', {
      about: 'The whole public state, and then its changes, as server-sent events',
      more: 'Event `snapshot` comes with the connection, `change` when something changed, `beat` every 5 s, `close` when the server is restarted. `id` is the version. 20 streams an address, 80 an IPv6 /48.',
      file: {
        type: 'text/event-stream',
        about: 'Events whose data is a LiveSnapshot, LiveChange or LiveBeat.',
        schema: {
          anyOf: ['LiveSnapshot', 'LiveChange', 'LiveBeat'].map((name) => ({
            $ref: `#/components/schemas/${name}`,
          })),
        },
      },
      run: answer,
    }),
  )

type Options = {
  state: LiveState
  hub: LiveHub
  addresses: AddressRules
  checkHost: (host: string | null) => void
  isHttps: boolean
}

export type LiveAnswer = (call: Call) => Response

/** Opens a stream. All its headers are made once: after a restart thousands of pages return together. Throws
 * MISDIRECTED, DB_UNAVAILABLE, RATE_LIMITED and BUSY. */
export function liveAnswer({ state, hub, addresses, checkHost, isHttps }: Options): LiveAnswer {
  const { addressOf } = visitors(addresses)
  const snapshotEvent = snapshotEvents()
  const headers = new Headers({
    ...safeHeaders(isHttps),
    ...corsHeaders(null, true, []),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  return (call) => {
    checkHost(call.request.headers.get('host'))
    const known = state.current
    if (!known) throw notLoaded()
    const first = snapshotEvent(known, state.now())
    return new Response(hub.open(addressOf(call), first), { headers })
  }
}

const encoder = new TextEncoder()
const quickestRetryMs = 500
const retrySpreadMs = 4_500

/** First event of a stream: the state is written once for all who come while it holds, the time and the
 * reconnect time are each stream's own. The latter is random, so that clients do not all return at once. */
function snapshotEvents() {
  let written: PublicState | undefined
  let text = ''
  return (state: PublicState, now: number): Uint8Array<ArrayBuffer> => {
    if (state !== written) {
      text = event('snapshot', state).slice(0, -endOfEvent.length)
      written = state
    }
    const retryMs = quickestRetryMs + Math.floor(Math.random() * retrySpreadMs)
    return encoder.encode(`retry: ${retryMs}\n${text},"now":${now}${endOfEvent}`)
  }
}

export const changeEvent = (change: LiveChange): Uint8Array<ArrayBuffer> =>
  encoder.encode(event('change', change))

/** Unlike a comment, pages receive it: it shows that the stream is alive, and carries the time. */
export const beatEvent = (beat: LiveBeat): Uint8Array<ArrayBuffer> => encoder.encode(event('beat', beat))

export const closeEvent = (): Uint8Array<ArrayBuffer> => encoder.encode('event: close\ndata: {}\n\n')

const endOfEvent = '}\n\n'

const event = (name: string, data: { version: number }): string =>
  `id: ${data.version}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
