import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import { spawnChild } from '../../infra/local/child.ts'
import { freePort } from '../../infra/local/ports.ts'

export type LocalRedis = Awaited<ReturnType<typeof startRedis>>

/** Null where redis-server is not installed. */
export const redisServer: string | null = Bun.which('redis-server')

const production = resolve(import.meta.dirname, '../../infra/redis')

/** A Redis of one's own, with production's settings. */
export async function startRedis(settings: readonly string[] = []) {
  if (!redisServer || !existsSync(redisServer)) throw new Error('redis-server is not installed.')
  const dir = mkdtempSync(join(tmpdir(), 'blockdraw-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir]
  let child = await launch()

  async function launch() {
    const command = ['redis-server', join(production, 'redis.conf'), ...place, ...settings]
    const started = spawnChild(command, { env: { PATH: process.env.PATH } })
    await withRedis(url, (redis) => redis.ping())
    return started
  }
  async function kill(): Promise<void> {
    child.kill()
    await child.exited
  }
  return {
    url,
    port,
    /** SIGKILL: nothing is written any more. */
    kill,
    /** Everything in it is gone. */
    flush: () => withRedis(url, async (redis) => void (await redis.flushall())),
    /** On the same port, with what its append-only file kept. */
    restart: async () => {
      child = await launch()
    },
    stop: async () => {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function withRedis<T>(url: string, act: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  try {
    return await act(redis)
  } finally {
    redis.disconnect()
  }
}
