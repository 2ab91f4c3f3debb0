import { setTimeout } from 'node:timers/promises'
import { RaffleError } from '../../core/errors.ts'

/** Long enough that a thousand connections of a flood cost less than a thousand calls a second. */
const leastMs = 500
const spreadMs = 1_000
const slotMs = 10
/** More of them at once are answered at once: what waits costs memory, here and in the web server. */
const mostWaiting = 4_000

/**
 * Holds the answer to a flood back for about a second: who sends the next call when the last one was answered, as floods
 * do, then sends a thousandth of it, and visitors have the processor. The answers are spread, so that they do not come in one burst.
 */
export function holdBack(): (error: unknown) => Promise<void> {
  const ends = new Map<number, Promise<void>>()
  let waiting = 0

  function endOf(slot: number): Promise<void> {
    const known = ends.get(slot)
    if (known) return known
    const end = setTimeout(slot * slotMs - performance.now()).then(() => void ends.delete(slot))
    ends.set(slot, end)
    return end
  }

  return async (error) => {
    if (!(error instanceof RaffleError) || error.data.isFlood !== true || waiting >= mostWaiting) return
    waiting++
    await endOf(Math.ceil((performance.now() + leastMs + Math.random() * spreadMs) / slotMs))
    waiting--
  }
}
