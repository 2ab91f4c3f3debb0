import { loginOf } from '../../db/logins.ts'
import { freePort } from '../../infra/local/ports.ts'
import { startProcess } from './process.ts'

export type WorkerProcess = Awaited<ReturnType<typeof startWorkerProcess>>

/** The worker as it runs in production, ready to work; `databaseUrl` is the owner's. */
export async function startWorkerProcess(env: {
  databaseUrl: string
  redisUrl?: string | undefined
  rpcUrls: string
  /** More variables. */
  more?: Record<string, string>
}) {
  const child = await startProcess('worker', {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: loginOf(env.databaseUrl, 'worker'),
      REDIS_URL: env.redisUrl,
      RPC_URLS: env.rpcUrls,
      METRICS_PORT: `${await freePort()}`,
      SECRET_KEY: 'a key for tests, 32 characters or more',
      LOG_LEVEL: 'warn',
      ...env.more,
    },
  })
  const end = async (how: () => void | Promise<void>) => {
    await how()
    await child.exited
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => void process.kill(-child.pid, name)
  return {
    /** SIGSTOP and SIGCONT: it holds what it holds, and does not know that time has passed. */
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    /** SIGKILL: no job is finished and no connection closed. */
    kill: () => end(child.kill),
    stop: () => end(child.stop),
    /** The last lines it wrote. */
    tail: child.tail,
  }
}
