import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import type { Env } from '../../core/server/env.ts'
import { checkWitnesses } from '../../core/server/witnesses.ts'
import { StartProblem } from './child.ts'
import { step } from './progress.ts'
import { rpc } from './rpc.ts'

/** Below the ports that systems give to whoever asks for any: those are taken again before a program of ours listens. */
const first = 15_000
const count = 16_000
const threads = 8
const share = count / threads
/** What asks for a port may take the ten behind it instead, as workers do for their metrics. */
const stride = 13
/** Threads of a process have a share each; processes begin at different places. */
let asked = (process.pid * 389) % share

/** A free port of the loopback address, that this process does not get again soon. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < share; tried++) {
    const port = first + (threadId % threads) * share + ((asked++ * stride) % share)
    if (await isPortFree(port)) return port
  }
  throw new StartProblem(`No port from ${first} to ${first + count} is free.`)
}

/** False when somebody listens there, on all addresses or on the loopback one alone. @internal */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['0.0.0.0', '127.0.0.1']) if (!(await canListen(port, host))) return false
  return true
}

const canListen = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Throws, naming the variable, if a port is taken; waits `deadlineMs` for a program that is just ending. */
export async function claimPorts(ports: Readonly<Record<string, number>>, deadlineMs = 0): Promise<void> {
  const used = new Map<number, string>()
  for (const [variable, port] of Object.entries(ports)) {
    const other = used.get(port)
    if (other)
      throw new StartProblem(`${variable} and ${other} are both ${port}: give one of them another port.`)
    used.set(port, variable)
    for (const deadline = Date.now() + deadlineMs; !(await isPortFree(port)); await Bun.sleep(50))
      if (Date.now() >= deadline)
        throw new StartProblem(
          `${variable} ${port} is taken by another program: stop that one, or set ${variable} to a free port.`,
        )
  }
}

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
    const text = textOf(error)
    const cure = text.includes('unrecognized configuration parameter') ? ': leave it out of the address' : ''
    throw new StartProblem(`DATABASE_URL cannot be used: ${text}${cure}.`)
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
