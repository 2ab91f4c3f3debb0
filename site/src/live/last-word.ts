import type { LiveBeat } from '../../../core/live/public.ts'

/** When the server last said that what is known still holds: by its clock, in milliseconds; 0 before its first word. */
export type LastWord = {
  at: () => number
  /** A state may come from another tab, which may have lost the server, or from a server that has lost its database. */
  snapshot: () => void
  /** A heartbeat says which, and whether later changes are all that there are. */
  beat: (beat: Pick<LiveBeat, 'now' | 'stale'>) => void
  change: (now: number) => void
}

export function openLastWord(): LastWord {
  let at = 0
  let isStale = true
  const note = (now: number): void => {
    if (!isStale && now > at) at = now
  }
  return {
    at: () => at,
    snapshot: () => {
      isStale = true
    },
    beat: ({ now, stale }) => {
      isStale = stale
      note(now)
    },
    change: note,
  }
}
