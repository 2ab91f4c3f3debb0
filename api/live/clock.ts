/** How much our clock may fall back per second towards a database whose clock runs slower. */
const driftMs = 0.5
/** A reading this far behind is not a delay: the database's clock was set back. */
const setBackMs = 5_000

/**
 * The database's clock, continued between readings by this machine's monotonic clock: every process changes
 * phase at the same moment, and setting the clock of this machine has no effect.
 */
export function databaseClock(monotonic: () => number = () => performance.now()) {
  let aheadMs = Date.now() - monotonic()
  let isRead = false
  return {
    /** Takes a reading that has just arrived. True if the clock moved more than a delay explains. */
    read(databaseNow: number): boolean {
      // A reading only gets older on its way, so the one furthest ahead is the most accurate.
      const reading = databaseNow - monotonic()
      const next = !isRead || aheadMs - reading > setBackMs ? reading : Math.max(reading, aheadMs - driftMs)
      const moved = Math.abs(next - aheadMs) > 5
      aheadMs = next
      isRead = true
      return moved
    },
    /** Milliseconds since 1970, whole. */
    now: (): number => Math.floor(monotonic() + aheadMs),
  }
}
