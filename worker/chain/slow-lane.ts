import { limit } from '../../core/server/concurrency.ts'

/**
 * How fast hashes that nobody knows may use up the endpoints' quota: 20 a second, paid afterwards. A claim
 * whose transaction is found costs nothing, so buyers are served at full speed; a flood of inventions puts
 * the lane in debt, and lookups of unknown hashes wait until it is paid. The scan credits a buyer meanwhile.
 */
export type SlowLane = {
  /**
   * Runs `ask`, one at a time, with how many unknown hashes may be asked now (0 while in debt); it answers
   * how many of them nobody knew.
   */
  run: (ask: (room: number) => Promise<number>) => Promise<void>
  /** At least a second; spread, so that not all who wait come at once. */
  waitMs: () => number
}

const perSecond = 20
const atOnce = 100

export function openSlowLane(now: () => number = () => performance.now()): SlowLane {
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
