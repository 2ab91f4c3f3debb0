import { RaffleError } from '../../core/errors.ts'
import {
  changeBetween,
  type LiveBeat,
  type LiveChange,
  type LiveSnapshot,
  type PublicState,
} from '../../core/live/public.ts'
import { nextPhaseAt, type PublicFacts, publicState } from '../../core/live/state.ts'
import { defaultFormHosts, isFormUrl } from '../../core/prize/claim.ts'
import { type Clock, realClock } from '../../core/server/time.ts'
import { safeHeaders } from '../http/origin.ts'
import { etagOf, ready as makeReady, type Ready, readyHeaders, shared, sharedFresh } from '../http/ready.ts'
import { databaseClock } from './hub.ts'

export type Part = Exclude<keyof PublicState, 'version'>
export const publicPaths = {
  config: '/api/raffle/config',
  stats: '/api/raffle/stats',
  recent: '/api/tickets/recent',
  winner: '/api/raffle/winner',
  winners: '/api/raffle/winners',
  prizes: '/api/raffle/prizes',
  drawStatus: '/api/raffle/draw-status',
  history: '/api/raffle/history',
  eventSettings: '/api/event/settings',
  solvency: '/api/raffle/solvency',
  rules: '/api/raffle/rules',
} as const satisfies Record<Part, string>
export const parts = Object.keys(publicPaths) as Part[]

type Options = {
  load: () => Promise<{ facts: PublicFacts; now: number } | undefined>
  salesPaused: boolean
  /** FORM_HOSTS: the address of a form elsewhere is not told to visitors. */
  formHosts?: readonly string[]
  /** Visitors use https, which the answers then require (HSTS). */
  isHttps?: boolean
  onError: (error: unknown) => void
  /** Runs between the readings of the database's clock; the real one if left out. */
  clock?: Clock | undefined
}
type Listener = { change: (change: LiveChange) => void; beat?: (beat: LiveBeat) => void }

export type LiveState = ReturnType<typeof createLiveState>

const sharedHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, date, x-state, x-state-version',
}

/** setTimeout takes at most 2^31 ms: a later date is checked again after a day. */
const longestWaitMs = 86_400_000

/** The public state as bytes ready to send, reloaded at each change and turned at each phase of the
 * database's clock. Stale while the database is down; no version goes back. */
export function createLiveState(options: Options) {
  const { load, salesPaused, formHosts = defaultFormHosts, isHttps = false, onError } = options
  const { now: monotonic, sleep } = options.clock ?? realClock
  const clock = databaseClock(monotonic)
  const ready = {} as Record<Part, Ready>
  const listeners = new Set<Listener>()
  let state: PublicState | undefined
  let facts: PublicFacts | undefined
  let isStale = true
  let loading: Promise<void> | undefined
  let again = false
  let waiting = new AbortController()
  const loaded = Promise.withResolvers<void>()

  function publish(next: PublicState): void {
    const known = state
    if (known && next.version <= known.version) return
    state = next
    for (const part of parts) {
      const headers = headersOf(part, next)
      const text = JSON.stringify(next[part])
      const etag = etagOf(text)
      if (ready[part]?.etag === etag) ready[part].headers = readyHeaders(etag, headers)
      else ready[part] = makeReady(text, headers, etag)
    }
    loaded.resolve()
    if (!known) return
    const change = changeBetween(known, next, clock.now())
    for (const listener of listeners) listener.change(change)
  }

  /** Publishes the state of the current time, and waits for the next phase. */
  function turn(): void {
    waiting.abort()
    if (!facts) return
    const now = clock.now()
    publish(publicState(facts, now, salesPaused))
    const next = nextPhaseAt(facts, now)
    if (next !== null) turnIn(Math.min(next - now + 1, longestWaitMs))
  }

  function turnIn(ms: number): void {
    waiting = new AbortController()
    const { signal } = waiting
    void sleep(ms, signal).then(() => signal.aborted || turn())
  }

  function setStale(value: boolean): void {
    if (isStale === value) return
    isStale = value
    if (!state) return
    for (const part of parts) ready[part].headers = readyHeaders(ready[part].etag, headersOf(part, state))
    const beat = beatOf(state)
    for (const listener of listeners) listener.beat?.(beat)
  }

  /** Also of an unchanged part at another version, or after it went stale. */
  const headersOf = (part: Part, { version }: PublicState) => ({
    ...safeHeaders(isHttps),
    ...sharedHeaders,
    'cache-control': part === 'config' || part === 'rules' ? sharedFresh : shared,
    'x-state-version': `${version}`,
    ...(isStale && { 'x-state': 'stale' }),
  })

  const beatOf = ({ version }: PublicState): LiveBeat => ({ version, now: clock.now(), stale: isStale })

  async function reload(): Promise<void> {
    do {
      again = false
      try {
        const found = await load()
        if (!found) continue
        clock.read(found.now)
        // A slow load may finish after a newer one.
        if (!facts || found.facts.version >= facts.version) facts = withOwnForm(found.facts, formHosts)
        setStale(false)
        turn()
      } catch (error) {
        setStale(true)
        onError(error)
      }
    } while (again)
  }

  /** Calls during a load share one more load; never rejects. */
  function refresh(): Promise<void> {
    again = loading !== undefined
    loading ??= reload().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    refresh,
    /** The database reported its version and clock: loads if the version is new. */
    noteBeat({ version, now }: { version: number; now: number }): void {
      if (clock.read(now)) turn()
      if (isStale || version !== facts?.version) void refresh()
    },
    markStale: () => setStale(true),
    whenLoaded: loaded.promise,
    get isLoaded() {
      return state !== undefined
    },
    get isStale() {
      return isStale
    },
    /** 0 while nothing has been loaded. */
    get version() {
      return state?.version ?? 0
    },
    /** The ready answer of a part; undefined while nothing has been loaded. */
    part: (part: Part): Ready | undefined => ready[part],
    /** The published state; it is another object once it has changed. */
    get current(): PublicState | undefined {
      return state
    },
    snapshot: (): LiveSnapshot | undefined => state && { ...state, now: clock.now() },
    beat: (): LiveBeat | undefined => state && beatOf(state),
    now: clock.now,
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop(): void {
      waiting.abort()
      listeners.clear()
    },
  }
}

/** Whatever wrote it, or whoever shortened FORM_HOSTS since: the winner is sent to no other host. */
function withOwnForm(facts: PublicFacts, hosts: readonly string[]): PublicFacts {
  const { googleFormUrl: url } = facts.config
  if (url === null || isFormUrl(url, hosts)) return facts
  return { ...facts, config: { ...facts.config, googleFormUrl: null } }
}

export const notLoaded = (): RaffleError => new RaffleError('DB_UNAVAILABLE', { reason: 'loading' })
