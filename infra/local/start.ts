import { resolve } from 'node:path'
import { EnvError } from '../../core/server/env.ts'
import { readEnv } from '../../core/server/read-env.ts'
import { expectNoStory, lockDataDir, unlockDataDir } from './lock.ts'
import { StartProblem } from './problem.ts'
import { stopper } from './stop.ts'

/** `bun run start`: the whole system on this machine, until Ctrl-C. */
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
  const broken = await runSystem({ env, root, dataDir, wasKilled })
  throw new StartProblem(broken)
} catch (error) {
  // Steps are expected to fail while children are being stopped.
  if (!isStopping()) console.error(`\n${describe(error)}`)
  await stop(1)
}

function describe(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StartProblem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : error
}
