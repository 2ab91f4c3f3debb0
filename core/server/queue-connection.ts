import { Redis } from 'ioredis'
import type { Clock } from './time.ts'

/** Where the queue is kept: Redis in production, else the database itself, and how that is asked, for tests. */
export type QueueConnection = { redisUrl: string | undefined; databaseUrl: string; pace?: Partial<Pace> }
export type Pace = {
  /** How long it is waited for Postgres to take a connection. */
  connectWithinMs: number
  /** What pauses after a refusal, and waits for an answer about a queue. */
  sleep: Clock['sleep']
}
export type OnError = (error: Error) => void

const retryStrategy = (times: number): number => Math.min(times * 100, 1_000)
const usual = { maxRetriesPerRequest: null, connectTimeout: 2_000, retryStrategy }

/** For workers: waits for Redis as long as it takes and continues when it is back. */
export const consumerRedis = (url: string, onError: OnError): Redis =>
  new Redis(url, usual).on('error', onError)

/** A job that cannot be added now is dropped: buffered ones would all come at once, and the sweeper adds jobs from the rows. */
export function producerRedis(url: string, onError: OnError): Redis {
  const unbuffered = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false }
  return new Redis(url, { ...usual, ...unbuffered, commandTimeout: 1_000 }).on('error', onError)
}

/** Settings of this Redis that lose data, for the log. The sweeper adds lost jobs again, but later. */
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
