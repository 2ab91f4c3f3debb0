/** More events than any backlog is long are not remembered. */
const rememberedEvents = 256

/**
 * How many of the latest events make up a backlog of so many bytes. Streams count what they hold in events:
 * one that counts bytes would cost 4 KiB more each.
 */
export function backlog(limitBytes: number) {
  const sizes: number[] = []
  let allowed = rememberedEvents
  return {
    /** Events that a reader may be behind. */
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
      // One event may always be under way, however long it is.
      allowed = allowed === -1 ? rememberedEvents : Math.max(1, allowed)
    },
  }
}
