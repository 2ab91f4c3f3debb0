import { atom, computed, onMount } from 'nanostores'
import {
  applyChange,
  type LiveChange,
  type LiveSnapshot,
  type PublicState,
} from '../../../core/live/public.ts'
import { setServerTime } from './clock.ts'
import { type Link, type LiveSink, openLiveSource } from './live-source.ts'

export type Known = Partial<PublicState>

export const $live = atom<Known>({})
export const $link = atom<Link>('connecting')

const sink: LiveSink = {
  snapshot: (snapshot) => {
    setServerTime(snapshot.now)
    $live.set(newer($live.get(), snapshot))
  },
  change: (change) => {
    setServerTime(change.now)
    $live.set(newer($live.get(), change))
  },
  beat: ({ now }) => setServerTime(now),
  part: (part, meta) => {
    if (meta.now !== undefined) setServerTime(meta.now, 1_000)
    $live.set(polled($live.get(), part, meta.version))
  },
  link: (link) => $link.set(link),
}

onMount($live, () => openLiveSource(sink))

export const $config = computed($live, ({ config }) => config)
export const $stats = computed($live, ({ stats }) => stats)
export const $recent = computed($live, ({ recent }) => recent)
export const $winner = computed($live, ({ winner }) => winner)
export const $drawStatus = computed($live, ({ drawStatus }) => drawStatus)
export const $history = computed($live, ({ history }) => history)
export const $solvency = computed($live, ({ solvency }) => solvency)
export const $rules = computed($live, ({ rules }) => rules)
export const $prizes = computed($live, ({ prizes }) => prizes)

const polledAt = new Map<string, number>()

/** Unless the part is older than the known one; an equal one returns `known` itself: nothing renders. @internal */
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

/** `known` with `update` merged in, unless the update's version is older. @internal */
export function newer(known: Known, update: LiveSnapshot | LiveChange): Known {
  if (known.version !== undefined && update.version < known.version) return known
  return applyChange(known, update)
}
