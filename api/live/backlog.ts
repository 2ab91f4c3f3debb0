/** Upper bound of remembered events, longer than any backlog. */
const rememberedEvents = 256

/**
 * How many of the latest events fit into a backlog of `limitBytes`. Streams count their queue in events:
 * counting bytes would cost 4 KiB more per stream.
 */
export function backlog(limitBytes: number) {
  const sizes: number[] = []
  let allowed = rememberedEvents
  return {
    /** How many events a reader may be behind. */
    get allowed() {
      return allowed
    },
    /** An event of this size was sent to every reader. */
    sent(bytes: number): void {
      sizes.unshift(bytes)
      if (sizes.length > rememberedEvents) sizes.pop()
      let sum = 0
      allowed = sizes.findIndex((size) => {
        sum += size
        return sum > limitBytes
      })
      // One event may always be in flight, however long it is.
      allowed = allowed === -1 ? rememberedEvents : Math.max(1, allowed)
    },
  }
}
