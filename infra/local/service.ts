import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withDeadline } from '../../core/server/time.ts'
import { type Child, isClosing, StartProblem, spawnChild } from './child.ts'

type Options = {
  name: string
  /** Module to run; it calls `process.send({ ready: true })` when it serves. */
  entry: string
  env: Record<string, string | undefined>
  logDir: string
}

const readyWithinMs = 30_000
const quickestMs = 500
const slowestMs = 10_000

export type Service = { stop: () => Promise<void> }

/** Runs one of our processes and restarts it when it dies, at once first, then with growing delays. */
export async function startService(options: Options): Promise<Service> {
  const logFile = freshLog(options)
  let stopped = false
  const isOver = () => stopped || isClosing()
  let { child, ready } = launch(options, logFile)
  const began = Promise.race([
    ready.then(() => 'ready'),
    child.exited.then((code) => `ended with code ${code}`),
  ])
  const outcome = await withDeadline(readyWithinMs, began, () => `was not ready in ${readyWithinMs / 1000} s`)
  if (outcome !== 'ready') {
    await child.stop()
    throw new StartProblem(`The ${options.name} ${outcome}:\n${lastLines(logFile)}`)
  }
  void watch()
  return {
    stop: async () => {
      stopped = true
      await child.stop()
    },
  }

  async function watch(): Promise<void> {
    let waitMs = 0
    for (;;) {
      const began = Date.now()
      const code = await child.exited
      if (isOver()) return
      waitMs = Date.now() - began > slowestMs ? 0 : Math.min(Math.max(quickestMs, waitMs * 2), slowestMs)
      console.log(`The ${options.name} ended (code ${code}); it is started again. See ${logFile}`)
      await Bun.sleep(waitMs)
      if (isOver()) return
      ;({ child, ready } = launch(options, logFile))
      void ready.then(() => isOver() || console.log(`The ${options.name} is back.`))
    }
  }
}

function launch({ entry, env }: Options, logFile: string): { child: Child; ready: Promise<void> } {
  const ready = Promise.withResolvers<void>()
  const onMessage = (message: unknown) => {
    if (typeof message === 'object' && message && 'ready' in message) ready.resolve()
  }
  return { child: spawnChild([process.execPath, entry], { env, logFile, onMessage }), ready: ready.promise }
}

/** The log of this start; the previous one is kept beside it. */
function freshLog({ name, logDir }: Options): string {
  mkdirSync(logDir, { recursive: true })
  const file = join(logDir, `${name.replaceAll(' ', '-')}.log`)
  rmSync(`${file}.old`, { force: true })
  if (existsSync(file)) renameSync(file, `${file}.old`)
  return file
}

const lastLines = (file: string, count = 12): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : ''
