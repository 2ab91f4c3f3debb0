/**
 * One answer for a crowd: `ask` runs again only for who came after it was last asked, so nobody is told what was
 * true before his call. Give the time of the call, on the clock of `performance.now()`. A failure is told to those
 * who wait for it and forgotten.
 */
export function sharedAnswer<T>(ask: () => Promise<T>): (calledAt: number) => Promise<T> {
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
