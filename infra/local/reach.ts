import { Redis } from 'ioredis'
import postgres from 'postgres'
import type { Env } from '../../core/server/env.ts'
import { checkWitnesses } from '../../core/server/witnesses.ts'
import { StartProblem } from './problem.ts'
import { step } from './progress.ts'
import { rpc } from './rpc.ts'

/** Checks the services of the environment first; addresses may hold passwords, so messages leave them out. */
export async function reachServices(env: Env): Promise<void> {
  const { databaseUrl, redisUrl, rpcUrls, chainId } = env
  if (databaseUrl) await step('DATABASE_URL answers', () => reachDatabase(databaseUrl))
  if (redisUrl) await step('REDIS_URL answers', () => reachRedis(redisUrl))
  if (rpcUrls.length === 0) return
  await step('RPC_URLS answer', () => reachChain(rpcUrls, chainId))
  if (await checkWitnesses(env)) console.log('    RPC_UNSAFE: what one provider says is believed')
}

async function reachDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    await sql`select 1`
  } catch (error) {
    throw new StartProblem(`DATABASE_URL cannot be used: ${textOf(error)}.`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function reachRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 })
  let reason: unknown
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw new StartProblem(`REDIS_URL cannot be used: ${textOf(reason ?? error)}.`)
  } finally {
    redis.disconnect()
  }
}

/** Only reports a silent endpoint: it may recover, and payments wait. One of another chain is an error. */
async function reachChain(urls: readonly string[], chainId: number): Promise<void> {
  const answers = await Promise.all(
    urls.map((url) => rpc<string>(url, 'eth_chainId').then(Number, () => undefined)),
  )
  for (const [index, answer] of answers.entries()) {
    if (answer === undefined) console.log(`    endpoint ${index + 1} of RPC_URLS does not answer`)
    else if (answer !== chainId)
      throw new StartProblem(
        `RPC_URLS: endpoint ${index + 1} serves chain ${answer}, but CHAIN_ID is ${chainId}.`,
      )
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || ('code' in error && String(error.code)) || error.name
    : String(error)
