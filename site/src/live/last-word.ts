import type { LiveBeat } from '../../../core/live/public.ts'

/** When the server last said that what is known still holds: by its clock, in milliseconds; 0 before its first word. */
export type LastWord = {
  at: () => number
  /** The same of the stream alone: an answer that was polled has the clock of the machine that gave it. */
  heardAt: () => number
  /** A state may come from another tab, which may have lost the server, or from a server that has lost its database. */
  snapshot: () => void
  /**
   * A heartbeat says which, and whether later changes are all that there are. It says nothing of a `known` version that is not
   * its own: one of the two has missed a change.
   */
  beat: (beat: LiveBeat, known: number | undefined) => void
  change: (now: number) => void
  polled: (answer: Pick<LiveBeat, 'now' | 'stale'>) => void
}

export function openLastWord(): LastWord {
  let at = 0
  let heardAt = 0
  let isStale = true
  const note = (now: number): void => {
    if (!isStale) at = Math.max(at, now)
  }
  const hear = (now: number): void => {
    note(now)
    if (!isStale) heardAt = Math.max(heardAt, now)
  }
  return {
    at: () => at,
    heardAt: () => heardAt,
    snapshot: () => {
      isStale = true
    },
    beat: ({ version, now, stale }, known) => {
      isStale = stale || version !== known
      hear(now)
    },
    change: hear,
    polled: ({ now, stale }) => {
      isStale = stale
      note(now)
    },
  }
}
