import { resolve } from 'node:path'
import { EnvError, readEnv } from '../../core/server/env.ts'
import type { KeptPrograms } from './kept-programs.ts'
import { expectNoStory, lockDataDir, unlockDataDir } from './lock.ts'
import { StartProblem } from './problem.ts'
import { stopper } from './stop.ts'

/** Brings everything up and ends the process when a signal, a problem or a broken service says so. */
export async function runStart({ root, programs }: { root: string; programs: KeptPrograms }): Promise<void> {
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
    const broken = await runSystem({ env, root, dataDir, wasKilled, programs })
    throw new StartProblem(broken)
  } catch (error) {
    // Steps are expected to fail while children are being stopped.
    if (!isStopping()) console.error(`\n${describe(error)}`)
    await stop(1)
  }
}

function describe(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StartProblem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : error
}
