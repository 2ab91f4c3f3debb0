import { createHash } from 'node:crypto'
import type { LiveChange, LiveSnapshot, PublicState } from '../core/public.ts'
import { nextPhaseAt, type PublicFacts, publicState } from '../core/state.ts'

/** The parts that have a call of their own. */
export type Part = Exclude<keyof PublicState, 'version'>
export const parts = [
  'config',
  'stats',
  'recent',
  'winner',
  'drawStatus',
  'history',
  'eventSettings',
] as const

type Ready = { body: Uint8Array; text: string; etag: string }
type Loaded = { facts: PublicFacts; now: number }
type Options = {
  load: () => Promise<Loaded | undefined>
  salesPaused: boolean
  onError: (error: unknown) => void
}

export type LiveState = ReturnType<typeof createLiveState>

/**
 * The public state of this process, as bytes that are ready to be sent. It is loaded anew when the database
 * announces a change or the connection comes back, and turns by itself when the clock reaches a phase.
 * When loading fails the last state stays, and is marked stale.
 */
export function createLiveState({ load, salesPaused, onError }: Options) {
  let state: PublicState | undefined
  let facts: PublicFacts | undefined
  let ready: Record<Part, Ready> | undefined
  /** Database clock minus this machine's, so that every process changes phase at the same moment. */
  let clockAheadMs = 0
  let isStale = true
  let loading: Promise<void> | undefined
  let again = false
  let timer: Timer | undefined
  const listeners = new Set<(change: LiveChange) => void>()

  const now = () => Date.now() + clockAheadMs

  function publish(next: PublicState): void {
    const previous = ready
    // A slow load may end after a newer one: what was told is never taken back.
    if (state && next.version < state.version) return
    const made = Object.fromEntries(parts.map((part) => [part, prepare(next[part])])) as Record<Part, Ready>
    const changed = parts.filter((part) => previous?.[part].etag !== made[part].etag)
    const isNewVersion = next.version !== state?.version
    state = next
    ready = made
    if (!previous || !isNewVersion) return
    const change: LiveChange = { version: next.version, now: now() }
    for (const part of changed) Object.assign(change, { [part]: next[part] })
    for (const listener of listeners) listener(change)
  }

  function turn(): void {
    clearTimeout(timer)
    if (!facts) return
    const moment = now()
    publish(publicState(facts, moment, salesPaused))
    const next = nextPhaseAt(facts, moment)
    // setTimeout holds at most 2^31 ms; a date further away is looked at again in a day.
    if (next !== null) timer = setTimeout(turn, Math.min(next - moment + 1, 86_400_000))
  }

  async function reload(): Promise<void> {
    do {
      again = false
      try {
        const loaded = await load()
        if (!loaded) continue
        clockAheadMs = loaded.now - Date.now()
        if (!facts || loaded.facts.version >= facts.version) facts = loaded.facts
        isStale = false
        turn()
      } catch (error) {
        isStale = true
        onError(error)
      }
    } while (again)
  }

  return {
    /** Loads once for many calls that come while a load is under way; never rejects. */
    refresh(): Promise<void> {
      again = loading !== undefined
      loading ??= reload().finally(() => {
        loading = undefined
      })
      return loading
    },
    markStale(): void {
      isStale = true
    },
    get isLoaded() {
      return ready !== undefined
    },
    get isStale() {
      return isStale
    },
    /** The ready answer of a part; undefined while nothing has been loaded. */
    part: (part: Part): Ready | undefined => ready?.[part],
    snapshot: (): LiveSnapshot | undefined => state && { ...state, now: now() },
    now,
    subscribe(listener: (change: LiveChange) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop(): void {
      clearTimeout(timer)
      listeners.clear()
    },
  }
}

function prepare(value: unknown): Ready {
  const text = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { body: new TextEncoder().encode(text), text, etag }
}
