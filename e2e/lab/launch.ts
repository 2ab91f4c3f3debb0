import { join } from 'node:path'
import { afterEach } from 'vitest'
import { loginOf } from '../../db/logins.ts'
import { freePort } from '../../infra/local/ports.ts'
import { builtProgram } from './built-programs.ts'
import { type TestDb, testDb } from './database.ts'
import { type DrawWorld, openDrawWorld } from './draw-story.ts'

const root = join(import.meta.dirname, '../..')
const files = {
  api: await builtProgram('api'),
  worker: await builtProgram('worker'),
  migrate: await builtProgram('migrate'),
}
export type Name = keyof typeof files

/** Done after the test, the newest first. */
export const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts one of the programs with exactly this environment. */
export function launch(name: Name, env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, files[name]], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...ownLogin(name, env) },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  undo.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  let text = ''
  const waiting = new Set<() => void>()
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      for (const look of waiting) look()
    }
  }
  const done = Promise.all([read(child.stdout), read(child.stderr)])
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Exit code and all output. */
    ended: async () => {
      await done
      return { code: await child.exited, text }
    },
    isRunning: () => child.exitCode === null,
    text: () => text,
    /** Resolves when it has written this. */
    says: (what: string | RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (typeof what === 'string' ? !text.includes(what) : !what.test(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
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

export async function ownDatabase(): Promise<TestDb> {
  const database = await testDb()
  undo.push(database.close)
  return database
}

/** A chain with its database, and the environment of a worker on both. */
export async function ownWorld(): Promise<{
  world: DrawWorld
  env: Record<string, string>
  database: TestDb
}> {
  const database = await testDb()
  const world = await openDrawWorld({ database })
  undo.push(world.close)
  const env = {
    DATABASE_URL: database.url,
    RPC_URLS: world.url,
    SECRET_KEY: secret,
    METRICS_PORT: `${await freePort()}`,
    LOG_LEVEL: 'info',
  }
  return { world, env, database }
}
