type Room = {
  /** How many may wait for their turn. */
  maxWaiting: number
  /** What the next one is told. */
  refuse: () => Error
}

/** Runs what it is given, `atOnce` at a time, in the order of the calls; without `room` any number may wait. */
export function limit(atOnce: number, room?: Room): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running++
    else {
      if (room && waiting.length >= room.maxWaiting) throw room.refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The slot is handed on, so that no later call takes it from one that waits.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Results in the order of `items`, `atOnce` of them being worked on at a time; after a failure none is begun. */
export function mapLimit<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const run = limit(atOnce)
  let failure: { error: unknown } | undefined
  const one = async (item: T): Promise<R> => {
    if (failure) throw failure.error
    try {
      return await work(item)
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  return Promise.all(items.map((item) => run(() => one(item))))
}

/**
 * One answer for all who call while it is being asked for. Stricter than sharing what is under way: `ask` runs again
 * for a call that came after the last question was put, so nobody gets what was true before his call. Give the time
 * of the call, on the clock of `performance.now()`. A failure reaches those who wait for it, and is forgotten.
 */
export function singleFlight<T>(ask: () => Promise<T>): (calledAt: number) => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | undefined

  return (calledAt) => {
    if (last && last.askedAt > calledAt) return last.answer
    const asked = { askedAt: performance.now(), answer: ask() }
    last = asked
    asked.answer.catch(() => {
      if (last === asked) last = undefined
    })
    return asked.answer
  }
}
