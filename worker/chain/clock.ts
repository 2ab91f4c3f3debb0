import type { OnAlarm } from './set-aside.ts'
import type { Header } from './shapes.ts'

/** Seconds since 1970. */
export type Clock = () => Promise<number>
/** The newest block, and the time that no block can be later than. */
export type Head = Header & { notAfter: number }

type ClockWatch = {
  /** `newest` with its time bounded by the clock, which is read while the block is asked for. */
  bound: (newest: Promise<Header>) => Promise<Head>
  /** Seconds that the chain is ahead of the clock, negative while it is behind; null before the first look. */
  skewSeconds: () => number | null
}

/** The time a block may have beyond the clock: endpoints and databases differ by seconds, not by minutes. */
const allowedSeconds = 60
const skewSeconds = 5
const alarmEveryMs = 10 * 60_000

/**
 * Bounds what endpoints tell of the newest block's time, as nothing else proves it before the block is final.
 * Without a clock the chain's own time counts: where it is moved by hand nobody else has it.
 */
export function watchClock(clock: Clock | undefined, now: () => number, onAlarm: OnAlarm): ClockWatch {
  let skew: number | null = null
  let alarmedAt = Number.NEGATIVE_INFINITY

  function note(seconds: number): void {
    skew = seconds
    if (Math.abs(seconds) <= skewSeconds || now() - alarmedAt < alarmEveryMs) return
    alarmedAt = now()
    onAlarm('clock and chain differ', { chainAheadSeconds: Math.round(seconds) })
  }

  return {
    skewSeconds: () => skew,
    bound: async (asked) => {
      const [newest, time] = await Promise.all([asked, clock?.()])
      if (time !== undefined) note(newest.timestamp - time)
      const notAfter = Math.floor((time ?? newest.timestamp) + allowedSeconds)
      return { ...newest, timestamp: Math.min(newest.timestamp, notAfter), notAfter }
    },
  }
}
