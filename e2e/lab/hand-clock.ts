import type { Clock } from '../../core/server/time.ts'

export type HandClock = Clock & {
  /** So many milliseconds pass at once; who sleeps no longer than that wakes in the order of time. */
  advance: (ms: number) => void
  /** Resolves once somebody sleeps who is to sleep for just so long. */
  asleep: (ms: number) => Promise<void>
}

/** A clock that goes on by itself as soon as somebody sleeps by it: what is waited for in vain is over at once. */
export function passingClock(): Clock {
  let time = 0
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms
      await new Promise(setImmediate)
    },
  }
}

/** A clock that stands still unless it is moved. */
export function handClock(): HandClock {
  let time = 0
  const sleepers = new Set<{ ms: number; until: number; wake: () => void }>()
  let watching: { ms: number; resolve: () => void }[] = []
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = { ms, until: time + ms, wake }
        function wake(): void {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.add(sleeper)
        for (const one of watching) if (one.ms === ms) one.resolve()
        watching = watching.filter((one) => one.ms !== ms)
        signal?.addEventListener('abort', wake)
      }),
    advance: (ms) => {
      time += ms
      const due = [...sleepers].filter(({ until }) => until <= time)
      for (const { wake } of due.sort((a, b) => a.until - b.until)) wake()
    },
    asleep: (ms) =>
      new Promise((resolve) => {
        if ([...sleepers].some((sleeper) => sleeper.ms === ms)) resolve()
        else watching.push({ ms, resolve })
      }),
  }
}
