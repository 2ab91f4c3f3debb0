import { resolve } from 'node:path'
import { type Child, spawnChild } from '../../infra/local/child.ts'
import { builtProgram, type Program } from './built-programs.ts'

const root = resolve(import.meta.dirname, '../..')

type Options = { env: Record<string, string | undefined>; onLine?: (line: string) => void }

/** One of our processes as production runs it, once it reports ready; rejects if it ends before. */
export async function startProcess(program: Program, { env, onLine }: Options): Promise<Child> {
  const ready = Promise.withResolvers<void>()
  const onMessage = (message: unknown) => {
    if (typeof message === 'object' && message && 'ready' in message) ready.resolve()
  }
  const child = spawnChild([process.execPath, await builtProgram(program)], {
    cwd: root,
    env,
    onMessage,
    ...(onLine && { onLine }),
  })
  const ended = child.exited.then((code) => {
    throw new Error(`${program} ended with code ${code}:\n${child.tail()}`)
  })
  ended.catch(() => undefined) // an end after the start is the story's own doing
  await Promise.race([ready.promise, ended])
  return child
}
