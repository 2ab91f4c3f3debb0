import { limit } from '../../core/server/concurrency.ts'

/**
 * Rate limit for lookups of unknown hashes, which protects the endpoints' quota: 20 a second, charged
 * afterwards. A claim whose transaction is found costs nothing, so buyers are served at full speed; a flood
 * of invented hashes puts it in debt, and lookups of unknown hashes wait until it is paid. The scan
 * credits buyers meanwhile.
 */
export type LookupLimit = {
  /**
   * Runs `ask`, one at a time, with the number of unknown hashes it may look up now (0 while in debt); it
   * returns how many of them no endpoint knew.
   */
  run: (ask: (room: number) => Promise<number>) => Promise<void>
  /** At least a second; spread, so that not all waiting claims come at once. */
  waitMs: () => number
}

const perSecond = 20
const atOnce = 100

export function openLookupLimit(now: () => number): LookupLimit {
  let paidUntil = now()
  const oneAtATime = limit(1)
  return {
    run: (ask) =>
      oneAtATime(async () => {
        const unknown = await ask(now() >= paidUntil ? atOnce : 0)
        paidUntil = Math.max(now(), paidUntil) + (unknown * 1000) / perSecond
      }),
    waitMs: () => Math.round(Math.max(1_000, paidUntil - now()) * (1 + Math.random())),
  }
}
