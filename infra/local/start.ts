import { resolve } from 'node:path'
import { EnvError, readEnv } from '../../core/server/env.ts'
import { StartProblem, stopper } from './child.ts'
import { expectNoStory, lockDataDir, unlockDataDir } from './lock.ts'

/** `bun run start`: the whole system on this machine, until a signal, a problem or a broken service ends it. */
const root = resolve(import.meta.dirname, '../..')
let dataDir: string | undefined
const { stop, isStopping } = stopper(() => dataDir && unlockDataDir(dataDir))
try {
  // loaded after the signal handlers are in place, as it takes a moment
  const { runSystem } = await import('./system.ts')
  const env = readEnv()
  const dir = resolve(root, env.dataDir)
  expectNoStory(dir)
  const wasKilled = lockDataDir(dir)
  dataDir = dir
  throw new StartProblem(await runSystem({ env, root, dataDir, wasKilled }))
} catch (error) {
  // Steps are expected to fail while children are being stopped.
  if (!isStopping()) console.error(`\n${describe(error)}`)
  await stop(1)
}

function describe(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StartProblem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : error
}
