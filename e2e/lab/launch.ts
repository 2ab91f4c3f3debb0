import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loginOf } from '../../db/logins.ts'
import { freePort } from '../../infra/local/ports.ts'
import { builtProgram } from './built-programs.ts'
import { type TestDb, testDb } from './database.ts'
import { openDrawWorld } from './draw-story.ts'
import { forTest } from './opened.ts'
import { listenTo } from './process.ts'

const root = join(import.meta.dirname, '../..')
const files = {
  api: await builtProgram('api'),
  worker: await builtProgram('worker'),
  migrate: await builtProgram('migrate'),
}
export type Name = keyof typeof files

/** Starts one of the programs with exactly this environment, until the end of the test. */
export function launch(name: Name, env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, files[name]], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...ownLogin(name, env) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  const { ended, text, says } = listenTo(child)
  return {
    ...{ text, says, ended: () => ended },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    isRunning: () => child.exitCode === null,
  }
}

/** Each program logs in as itself where the environment names the owner of a database that is there. */
const ownLogin = (name: Name, env: Record<string, string>) =>
  name !== 'migrate' && env.DATABASE_URL?.includes('//postgres:')
    ? { ...env, DATABASE_URL: loginOf(env.DATABASE_URL, name) }
    : env

const secret = 'a secret of the tests, long enough'
/** The least that each of them starts with. */
export const enough = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  RPC_URLS: 'http://127.0.0.1:1',
  RPC_UNSAFE: 'true',
  SECRET_KEY: secret,
}

export const ownDatabase = (): Promise<TestDb> => forTest(testDb())

/** A chain with its database, and the environment of a worker on both. */
export async function ownWorld() {
  const database = await testDb()
  const world = await forTest(openDrawWorld({ database }))
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    RPC_URLS: world.url,
    SECRET_KEY: secret,
    METRICS_PORT: `${await freePort()}`,
    LOG_LEVEL: 'info',
  }
  return { world, env, database }
}
