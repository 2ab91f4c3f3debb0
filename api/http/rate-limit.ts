import { RaffleError } from '../../core/errors.ts'
import { addressKey } from './client-address.ts'

type Bucket = { tokens: number; at: number }
type Rule = {
  /** Calls at once after a rest. */
  burst: number
  perSecond: number
}

const rememberedAddresses = 50_000

/** A token bucket an address: throws RATE_LIMITED, with the time after which one call is open again. */
export function rateLimit({ burst, perSecond }: Rule, now: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>()

  return (clientAddress: string): void => {
    const key = addressKey(clientAddress)
    const moment = now()
    const known = buckets.get(key)
    const tokens = known ? Math.min(burst, known.tokens + ((moment - known.at) / 1000) * perSecond) : burst
    // Set anew, so that the map stays in the order of last use and the longest quiet one is forgotten.
    buckets.delete(key)
    buckets.set(key, { tokens: Math.max(0, tokens - 1), at: moment })
    if (buckets.size > rememberedAddresses) buckets.delete(buckets.keys().next().value as string)
    if (tokens < 1)
      throw new RaffleError('RATE_LIMITED', 'Too many calls from your address. Try again in a moment.', {
        retryAfterSeconds: Math.ceil((1 - tokens) / perSecond),
      })
  }
}
