import { atom, onMount } from 'nanostores'

/** How far the server's clock is ahead of this device's, in milliseconds. */
let aheadMs = 0
let isExact = false

/** The server's clock in milliseconds, so that a wrong clock of the visitor moves no deadline. */
export const serverNow = (): number => Date.now() + aheadMs

/** A message is late, never early: the largest lead counts. `coarseMs`, of whole seconds, replaces no exact one. */
export function setServerTime(now: number, coarseMs = 0): void {
  if (!Number.isFinite(now)) return
  if (coarseMs > 0 && isExact) return
  const ahead = now + coarseMs / 2 - Date.now()
  // A lead more than five seconds smaller means a changed device clock, not a late message.
  if (!isExact || ahead > aheadMs || aheadMs - ahead > 5_000) aheadMs = ahead
  if (coarseMs === 0) isExact = true
}

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
