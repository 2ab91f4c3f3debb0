import type { Clock } from '../../core/server/time.ts'

export type HandClock = Clock & {
  /** So many milliseconds pass at once; who sleeps no longer than that wakes in the order of time. */
  advance: (ms: number) => void
  /** How many sleep. */
  sleeping: () => number
}

/** A clock that stands still unless it is moved. */
export function handClock(): HandClock {
  let time = 0
  const sleepers = new Set<{ until: number; wake: () => void }>()
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = { until: time + ms, wake }
        function wake(): void {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      }),
    advance: (ms) => {
      time += ms
      const due = [...sleepers].filter(({ until }) => until <= time)
      for (const { wake } of due.sort((a, b) => a.until - b.until)) wake()
    },
    sleeping: () => sleepers.size,
  }
}
