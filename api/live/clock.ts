/** How far the carried clock may lose in a second against a database whose clock runs slower. */
const driftMs = 0.5
/** A reading this far behind is no delay: the database's clock was set back. */
const setBackMs = 5_000

/**
 * The database's clock between two readings of it, carried on by this machine's monotonic one: every process
 * changes phase at the same moment, and setting the clock of this machine changes nothing.
 */
export function databaseClock(monotonic: () => number = () => performance.now()) {
  let aheadMs = Date.now() - monotonic()
  let isRead = false
  return {
    /** Takes a reading that has just arrived. True if the clock moved by more than a delay explains. */
    read(databaseNow: number): boolean {
      // On its way a reading only grows old, so the one that is furthest ahead is the nearest.
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
