import { atom, onMount } from 'nanostores'

/** How far the server's clock is ahead of this device's, in milliseconds. */
let aheadMs = 0
let isExact = false

/** The server's clock in milliseconds; a visitor's wrong clock moves no deadline. */
export const serverNow = (): number => Date.now() + aheadMs

/**
 * Notes the server's clock. A message can only be late, never early, so the largest lead seen is the best.
 * `coarseMs` marks a clock that tells only whole seconds; it does not replace an exact one.
 */
export function setServerTime(now: number, coarseMs = 0): void {
  if (!Number.isFinite(now)) return
  if (coarseMs > 0 && isExact) return
  const ahead = now + coarseMs / 2 - Date.now()
  // A jump of more than five seconds is a changed device clock, not a late message.
  if (!isExact || ahead > aheadMs || aheadMs - ahead > 5_000) aheadMs = ahead
  if (coarseMs === 0) isExact = true
}

/** The server's time, set once a second while somebody looks. */
export const $now = atom(0)

onMount($now, () => {
  let timer: ReturnType<typeof setTimeout>
  const tick = () => {
    const now = serverNow()
    $now.set(now)
    timer = setTimeout(tick, 1_000 - (now % 1_000) + 5)
  }
  tick()
  return () => clearTimeout(timer)
})
