import { resolve } from 'node:path'
import { type Child, spawnChild } from '../../infra/local/child.ts'
import { builtProgram, type Program } from './built-programs.ts'

const root = resolve(import.meta.dirname, '../..')

type Options = { env: Record<string, string | undefined>; onLine?: (line: string) => void }

/** One of our processes as production runs it, once it reports ready; rejects if it ends before. */
export async function startProcess(program: Program, { env, onLine }: Options): Promise<Child> {
  const ready = Promise.withResolvers<void>()
  const child = spawnChild([process.execPath, await builtProgram(program)], {
    cwd: root,
    env,
    onReady: () => ready.resolve(),
    ...(onLine && { onLine }),
  })
  const ended = child.exited.then((code) => {
    throw new Error(`${program} ended with code ${code}:\n${child.tail()}`)
  })
  ended.catch(() => undefined) // an end after the start is the story's own doing
  await Promise.race([ready.promise, ended])
  return child
}

type Spoken = {
  exited: Promise<number>
  stdout: ReadableStream<Uint8Array>
  stderr: ReadableStream<Uint8Array>
}

/** What a program writes, on either stream. */
export function listenTo({ exited, stdout, stderr }: Spoken) {
  let text = ''
  let over = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  const read = async (stream: Spoken['stdout']) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      wake()
    }
  }
  /** Exit code and all output. */
  const ended = Promise.all([exited, read(stdout), read(stderr)]).then(([code]) => {
    over = true
    wake()
    return { code, text }
  })
  return {
    ...{ ended, text: () => text },
    /** Resolves with the output so far when it has written this; rejects if it ends before. */
    says: (what: string | RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const isSaid = typeof what === 'string' ? text.includes(what) : what.test(text)
          if (!isSaid && !over) return
          waiting.delete(look)
          if (isSaid) resolve(text)
          else reject(new Error(`it ended before "${what}":\n${text}`))
        }
        waiting.add(look)
        look()
      }),
  }
}
