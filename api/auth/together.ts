type Waiting<I, O> = { item: I; resolve: (answer: O) => void; reject: (error: unknown) => void }

const everyMs = 10

/**
 * What a crowd wants of the database, in one statement every 10 ms at most: `run` answers all who came before it
 * began, in their order. One of them goes on at each turn of the event loop, so that visitors are served in between.
 */
export function together<I, O>(run: (items: I[]) => Promise<readonly O[]>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = []
  let isRunning = false
  let lastAt = Number.NEGATIVE_INFINITY

  async function work(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const earlyMs = lastAt + everyMs - performance.now()
      if (earlyMs > 0) await Bun.sleep(earlyMs)
      const group = waiting
      waiting = []
      lastAt = performance.now()
      try {
        const answers = await run(group.map(({ item }) => item))
        await oneATurn(group, ({ resolve }, index) => resolve(answers[index] as O))
      } catch (error) {
        await oneATurn(group, ({ reject }) => reject(error))
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void work()
    })
}

async function oneATurn<T>(group: readonly T[], answer: (one: T, index: number) => void): Promise<void> {
  for (const [index, one] of group.entries()) {
    answer(one, index)
    if (index < group.length - 1) await new Promise((resolve) => setImmediate(resolve))
  }
}
