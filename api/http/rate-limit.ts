import { RaffleError } from '../../core/errors.ts'
import { addressKey } from './client-address.ts'

type Bucket = { tokens: number; at: number }
type Rule = {
  /** Calls allowed at once after a pause. */
  burst: number
  perSecond: number
  /** Sentence of the refusal. */
  text?: string
}

const rememberedAddresses = 50_000

/** A token bucket per address. RATE_LIMITED carries the time after which one call is allowed again. */
export function rateLimit(
  { burst, perSecond, text = 'Too many calls from your address. Try again in a moment.' }: Rule,
  now: () => number = () => performance.now(),
) {
  const buckets = new Map<string, Bucket>()

  function tokensOf(key: string): number {
    const bucket = buckets.get(key)
    return bucket ? Math.min(burst, bucket.tokens + ((now() - bucket.at) / 1000) * perSecond) : burst
  }
  function take(key: string): number {
    const tokens = tokensOf(key)
    // Deleted and set again: the map stays in the order of last use, and the least recent address is dropped.
    buckets.delete(key)
    buckets.set(key, { tokens: Math.max(0, tokens - 1), at: now() })
    if (buckets.size > rememberedAddresses) buckets.delete(buckets.keys().next().value as string)
    return tokens
  }
  function expectToken(tokens: number): void {
    if (tokens < 1)
      throw new RaffleError('RATE_LIMITED', text, {
        retryAfterSeconds: Math.ceil((1 - tokens) / perSecond),
      })
  }

  return {
    /** Counts a call; throws RATE_LIMITED if it exceeds the limit. */
    admit: (clientAddress: string): void => expectToken(take(addressKey(clientAddress))),
    /** Throws RATE_LIMITED if no call is allowed now; counts nothing. */
    check: (clientAddress: string): void => expectToken(tokensOf(addressKey(clientAddress))),
    /** Counts a call and never throws. */
    note: (clientAddress: string): void => void take(addressKey(clientAddress)),
  }
}
