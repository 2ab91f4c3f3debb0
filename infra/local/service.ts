import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { withDeadline } from '../../core/server/time.ts'
import { type Child, isClosing, StartProblem, spawnChild } from './child.ts'

type Options = {
  name: string
  /** Module to run. */
  entry: string
  env: Record<string, string | undefined>
  logDir: string
}

const readyWithinMs = 30_000
const againMs = 1_000

/** Runs one of our processes, and starts it again a second after it has died. */
export async function startService(options: Options): Promise<void> {
  const { name } = options
  const logFile = freshLog(options)
  let { child, ready } = launch(options, logFile)
  const began = Promise.race([
    ready.then(() => 'ready'),
    child.exited.then((code) => `ended with code ${code}`),
  ])
  const outcome = await withDeadline(readyWithinMs, began, () => `was not ready in ${readyWithinMs / 1000} s`)
  if (outcome !== 'ready') {
    await child.stop()
    throw new StartProblem(`The ${name} ${outcome}:\n${child.tail()}`)
  }
  void watch()

  async function watch(): Promise<void> {
    for (;;) {
      const code = await child.exited
      if (isClosing()) return
      console.log(`The ${name} ended (code ${code}); it is started again. See ${logFile}`)
      await Bun.sleep(againMs)
      if (isClosing()) return
      ;({ child, ready } = launch(options, logFile))
      void ready.then(() => isClosing() || console.log(`The ${name} is back.`))
    }
  }
}

function launch({ entry, env }: Options, logFile: string): { child: Child; ready: Promise<void> } {
  const ready = Promise.withResolvers<void>()
  const child = spawnChild([process.execPath, entry], { env, logFile, onReady: () => ready.resolve() })
  return { child, ready: ready.promise }
}

/** The log of this start; the previous one is kept beside it. */
function freshLog({ name, logDir }: Options): string {
  mkdirSync(logDir, { recursive: true })
  const file = join(logDir, `${name}.log`)
  if (existsSync(file)) renameSync(file, `${file}.old`)
  return file
}
