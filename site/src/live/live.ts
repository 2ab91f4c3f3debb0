import { atom, computed, onMount } from 'nanostores'
import { applyChange } from '../../../core/live.ts'
import type { LiveChange, LiveSnapshot, PublicState } from '../../../core/public.ts'
import { serverNow, setServerTime } from './clock.ts'
import type { Link } from './live-source.ts'
import { openSharedSource } from './shared-source.ts'

/** What the server told so far; parts are missing until they were heard for the first time. */
export type Known = Partial<PublicState>

export const $live = atom<Known>({})
export const $link = atom<Link>('connecting')

onMount($live, () =>
  openSharedSource(
    {
      snapshot: (snapshot) => {
        setServerTime(snapshot.now)
        $live.set(newer($live.get(), snapshot))
      },
      change: (change) => {
        setServerTime(change.now)
        $live.set(newer($live.get(), change))
      },
      beat: (beat) => setServerTime(beat.now),
      part: (part, heard) => {
        if (heard.now !== undefined) setServerTime(heard.now, 1_000)
        $live.set(polled($live.get(), part, heard.version))
      },
      link: (link) => $link.set(link),
    },
    { whole: () => wholeOf($live.get()) },
  ),
)

/** What is known, as a snapshot for another tab; undefined while a part is missing. */
function wholeOf(known: Known): LiveSnapshot | undefined {
  const { version, config, stats, recent, winner, drawStatus, history, eventSettings } = known
  if (version === undefined || !config || !stats || !recent || winner === undefined) return undefined
  if (!drawStatus || !history || !eventSettings) return undefined
  return { version, config, stats, recent, winner, drawStatus, history, eventSettings, now: serverNow() }
}

export const $config = computed($live, ({ config }) => config)
export const $stats = computed($live, ({ stats }) => stats)
export const $recent = computed($live, ({ recent }) => recent)
export const $winner = computed($live, ({ winner }) => winner)
export const $drawStatus = computed($live, ({ drawStatus }) => drawStatus)
export const $history = computed($live, ({ history }) => history)
export const $eventSettings = computed($live, ({ eventSettings }) => eventSettings)

/** The newest version that polling brought of each part. */
const polledAt = new Map<string, number>()

/**
 * A polled part laid over `known`, unless it is older than what was heard of it, as from a process that lags
 * behind or a cache. The same answer again is `known` itself: it must not wake every island three times a second.
 * @internal
 */
export function polled(known: Known, part: Partial<PublicState>, version: number | undefined): Known {
  const [name] = Object.keys(part) as (keyof PublicState)[]
  if (!name) return known
  if (version !== undefined) {
    if (version < Math.max(known.version ?? 0, polledAt.get(name) ?? 0)) return known
    polledAt.set(name, version)
  }
  if (JSON.stringify(known[name]) === JSON.stringify(part[name])) return known
  return { ...known, ...part }
}

/**
 * `update` laid over `known`, unless its version goes back.
 * @internal
 */
export function newer(known: Known, update: LiveSnapshot | LiveChange): Known {
  if (known.version !== undefined && update.version < known.version) return known
  return applyChange(known, update)
}
