type Waiting = { rank: number; start: () => void; giveUp: () => void }
type Room = {
  /** How many may wait for their turn. */
  maxWaiting: number
  /** What the one who loses his place is told. */
  refuse: () => Error
}

/**
 * Runs what it is given, `atOnce` at a time, the lowest rank first. Whoever already waits or runs ranks lower with
 * his next one, so a few who send many do not keep others out. When it is full, the last in line gives up his place.
 */
export function fairQueue(atOnce: number, { maxWaiting, refuse }: Room) {
  /** In the order of their turns. */
  const waiting: Waiting[] = []
  const inHand = new Map<string, number>()
  let running = 0

  function wait(rank: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let place = waiting.length
      while (place > 0 && (waiting[place - 1] as Waiting).rank > rank) place--
      waiting.splice(place, 0, { rank, start: resolve, giveUp: () => reject(refuse()) })
      if (waiting.length > maxWaiting) waiting.pop()?.giveUp()
    })
  }

  return async <T>(who: string, rank: number, work: () => Promise<T>): Promise<T> => {
    const own = inHand.get(who) ?? 0
    inHand.set(who, own + 1)
    try {
      if (running < atOnce) running++
      else await wait(rank + own)
      try {
        return await work()
      } finally {
        // The slot is handed on, so that no later call takes it from one that waits.
        const next = waiting.shift()
        if (next) next.start()
        else running--
      }
    } finally {
      const left = (inHand.get(who) ?? 1) - 1
      if (left > 0) inHand.set(who, left)
      else inHand.delete(who)
    }
  }
}
