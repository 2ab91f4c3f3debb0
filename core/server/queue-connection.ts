import { Redis } from 'ioredis'

/** Where the doorbell hangs: Redis in production, else the database itself. */
export type QueuePlace = { redisUrl: string | undefined; databaseUrl: string }
export type OnError = (error: Error) => void

const retryStrategy = (times: number): number => Math.min(times * 100, 1_000)

/** For taking jobs: waits for Redis as long as it takes, and works on when it is back. */
export function openWaitingRedis(url: string, onError: OnError): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 2_000, retryStrategy })
  redis.on('error', onError)
  return redis
}

/**
 * For ringing: what cannot be said now is dropped, not kept. Rings that pile up while Redis is gone would all
 * ring at once when it is back, and the sweeper rings by the rows anyway.
 */
export function openHastyRedis(url: string, onError: OnError): Redis {
  const hasty = { maxRetriesPerRequest: null, enableOfflineQueue: false, commandTimeout: 1_000 }
  const redis = new Redis(url, { ...hasty, connectTimeout: 2_000, retryStrategy })
  redis.on('error', onError)
  return redis
}

/** What is wrong with how this Redis keeps data, in words for the log: rows ring again, but each loss costs time. */
export async function reviewRedis(url: string): Promise<string[]> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 2_000, retryStrategy: () => null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    const info = await redis.info() // hosted ones forbid CONFIG
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown'
    const advice = policy === 'noeviction' ? [] : [`maxmemory-policy is ${policy}; it should be noeviction`]
    if (!/^aof_enabled:1/m.test(info)) advice.push('appendonly is off; it should be on')
    return advice
  } catch {
    return ['its settings could not be read']
  } finally {
    redis.disconnect()
  }
}
