import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { type AddressKey, addressKeys } from '../../core/address-list.ts'
import { RaffleError } from '../../core/errors.ts'
import { type Clock, realClock, withDeadline } from '../../core/server/time.ts'

export type Rule = {
  /** Also the name of its counters in Redis: all processes count together. */
  name: string
  /** Calls of one key, and in how many seconds. */
  calls: number
  inSeconds: number
  code?: 'RATE_LIMITED' | 'LOGIN_THROTTLED'
  /** It decides about no answer, so none is late by it. */
  isSilent?: true
}
/** How many calls the fullest key has used, this one included. Throws above the limit. */
export type Limit = {
  admit: (clientAddress: string) => Promise<number>
  admitKeys: (keys: readonly AddressKey[]) => Promise<number>
  /** Takes one admitted call back: it was not what the limit is there for. */
  giveBack: (keys: readonly AddressKey[]) => Promise<void>
}
export type Limits = (rule: Rule) => Limit

/** New keys above this in one span share a counter with their part of the internet, so that memory stays bounded. */
const mostKeys = 50_000
const redisWithinMs = 50
const redisRestMs = 1_000
/** Whoever was told so often in a span hears it late: thousands of his connections that ask at once keep the loop from all others. */
const toldAtOnce = 200
/** Half a second later at least, and not all at once. */
const lateMs = (told: number): number => 500 + ((told * 7) % 1_000)

/** Limits by address, counted in memory first and then in Redis, where there is one, for all processes.
 * Without it the limits of each process hold. */
export function createLimits(redis?: Redis, clock: Clock = realClock): Limits {
  let restsUntil = 0

  return ({ name, calls, inSeconds, code = 'RATE_LIMITED', isSilent }) => {
    const options = { points: calls, duration: inSeconds, keyPrefix: `blockdraw:limit:${name}` }
    const own = new RateLimiterMemory(options)
    const shared =
      redis && new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true })
    const refused = new Map<string, { until: number; told: number }>()
    let spanEndsAt = 0
    let newKeys = 0

    async function count(counter: RateLimiterAbstract, { key, times }: AddressKey): Promise<number> {
      const { consumedPoints, msBeforeNext, isFirstInDuration } = await counter.penalty(key)
      if (isFirstInDuration && counter === own) newKeys++
      if (consumedPoints > calls * times) {
        refused.set(key, { until: Date.now() + msBeforeNext, told: 0 })
        throw refusal(msBeforeNext)
      }
      return consumedPoints
    }
    async function countShared(keys: readonly AddressKey[]): Promise<number> {
      if (!shared || redis?.status !== 'ready' || clock.now() < restsUntil) return 0
      const counted = Promise.all(keys.map((key) => count(shared, key)))
      try {
        return Math.max(0, ...(await withDeadline(redisWithinMs, counted, slow, clock)))
      } catch (error) {
        if (error instanceof RaffleError) throw error
        restsUntil = clock.now() + redisRestMs
        return 0
      }
    }
    /** The widest first: those inside of a refused one get no counter. */
    async function admitKeys(keys: readonly AddressKey[]): Promise<number> {
      if (Date.now() > spanEndsAt) {
        spanEndsAt = Date.now() + inSeconds * 1_000
        newKeys = 0
        refused.clear()
      }
      await expectNotRefused(keys)
      let used = 0
      for (const key of keys.toReversed()) used = Math.max(used, await count(own, await ownOrShared(key)))
      return Math.max(used, await countShared(keys))
    }
    /** Who is counted already keeps that counter, so a flood of new keys is nothing to those that were here before. */
    async function ownOrShared(key: AddressKey): Promise<AddressKey> {
      if (newKeys < mostKeys || (await own.get(key.key))) return key
      return { ...key, key: `others ${neighbours(key.key)}`, times: key.times * othersTimes }
    }
    /** Who was refused, also for what other processes have counted, is told so again from memory: the cheapest answer. */
    async function expectNotRefused(keys: readonly AddressKey[]): Promise<void> {
      for (const { key } of refused.size > 0 ? keys : []) {
        const one = refused.get(key)
        const waitMs = one ? one.until - Date.now() : 0
        if (!one || waitMs <= 0) continue
        if (++one.told > toldAtOnce && !isSilent) await clock.sleep(lateMs(one.told))
        throw refusal(waitMs)
      }
    }
    const refusal = (waitMs: number) => {
      const data = { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
      return code === 'LOGIN_THROTTLED'
        ? new RaffleError(code, { data })
        : new RaffleError(code, { reason: 'calls', data })
    }

    return {
      admitKeys,
      admit: (clientAddress) => admitKeys(addressKeys(clientAddress)),
      async giveBack(keys) {
        for (const key of keys) {
          refused.delete(key.key)
          await own.reward((await ownOrShared(key)).key)
          if (shared && redis?.status === 'ready') await shared.reward(key.key).catch(() => undefined)
        }
      },
    }
  }
}

const othersTimes = 16

/** An IPv4 /16, an IPv6 /32, or hashes that begin alike: whoever floods shares with those beside him, not with everybody. */
const neighbours = (key: string): string => /^\d+\.\d+|^.{0,4}:.{4}|^.{0,3}/.exec(key)?.[0] ?? ''

function slow(): never {
  throw new Error('Redis is slow.')
}
