import { resolve } from 'node:path'
import { EnvError, readEnv } from '../../core/server/env.ts'
import { isClosing, StartProblem, stopper } from './child.ts'
import { lockDataDir, unlockDataDir } from './lock.ts'
import { summary } from './progress.ts'

/** `bun run start`: the whole system on this machine, until a signal, a problem or a broken service ends it. */
const root = resolve(import.meta.dirname, '../..')
let dataDir: string | undefined
const stop = stopper(() => dataDir && unlockDataDir(dataDir))
try {
  // loaded after the signal handlers are in place, as it takes a moment
  const { bringUp } = await import('./system.ts')
  const env = readEnv()
  const dir = resolve(root, env.dataDir)
  const wasKilled = lockDataDir(dir)
  dataDir = dir
  const running = await bringUp({ env, root, dataDir, wasKilled })
  console.log(summary({ env, dataDir, ...running }))
  throw new StartProblem(await running.broken)
} catch (error) {
  // Steps are expected to fail while children are being stopped.
  if (!isClosing()) console.error(`\n${describe(error)}`)
  await stop(1)
}

function describe(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StartProblem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : error
}
