import { type AddressRules, clientAddress } from '../http/client-address.ts'
import { safeHeaders } from '../http/headers.ts'
import { corsHeaders } from '../server/origin.ts'
import { notLoaded } from '../server/public-answers.ts'
import { snapshotEvents } from './events.ts'
import type { LiveHub } from './hub.ts'
import type { LiveState } from './state.ts'

type Options = {
  state: LiveState
  hub: LiveHub
  addresses: AddressRules
  checkHost: (host: string | null) => void
  isHttps: boolean
}

export type LiveAnswer = (request: Request, peerAddress: string | undefined) => Response

/**
 * Opens a stream. All its headers are made once: after a restart thousands of pages return together. Throws MISDIRECTED,
 * DB_UNAVAILABLE, RATE_LIMITED and BUSY.
 */
export function liveAnswer({ state, hub, addresses, checkHost, isHttps }: Options): LiveAnswer {
  const addressOf = clientAddress(addresses)
  const snapshotEvent = snapshotEvents()
  const headers = new Headers({
    ...safeHeaders(isHttps),
    ...corsHeaders(null, true, []),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  return (request, peerAddress) => {
    checkHost(request.headers.get('host'))
    const known = state.current
    if (!known) throw notLoaded()
    const first = snapshotEvent(known, state.now())
    return new Response(hub.open(addressOf(request, peerAddress), first), { headers })
  }
}
