import { RaffleError } from '../../core/errors.ts'

const windowMs = 600_000
const limit = 1_000
const rememberedAddresses = 10_000

/**
 * Counts refused calls without a session by address. Each leaves an audit row, so one address may not fill
 * the table: from the 1,001st in 10 minutes on it is answered RATE_LIMITED without a look at the database.
 */
export function refusalCounter(now: () => number = Date.now) {
  const counts = new Map<string, { since: number; count: number }>()

  return {
    check(address: string): void {
      const entry = counts.get(address)
      if (!entry || entry.count < limit) return
      const leftMs = entry.since + windowMs - now()
      if (leftMs > 0)
        throw new RaffleError('RATE_LIMITED', '요청이 너무 많습니다. 잠시 후 다시 시도해주세요.', {
          retryAfterSeconds: Math.ceil(leftMs / 1000),
        })
      counts.delete(address)
    },
    note(address: string): void {
      const entry = counts.get(address)
      if (entry && now() - entry.since < windowMs) entry.count++
      else counts.set(address, { since: now(), count: 1 })
      // The oldest is forgotten first: Map keeps the order of insertion.
      if (counts.size > rememberedAddresses) counts.delete(counts.keys().next().value as string)
    },
  }
}
