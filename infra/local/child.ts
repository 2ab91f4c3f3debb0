import { closeSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

export type Child = {
  pid: number
  exited: Promise<number>
  /** Its last lines of output. */
  tail: () => string
  /** Signals it to end and waits; kills it after 15 s. Safe to call twice. */
  stop: () => Promise<void>
  kill: () => void
}

type Options = {
  env?: Record<string, string | undefined>
  cwd?: string
  stopSignal?: 'INT' | 'TERM'
  user?: { uid: number; gid: number } | undefined
  /** Log file for its output; without one the output is read line by line. */
  logFile?: string | undefined
  onLine?: (line: string) => void
  /** When it calls `process.send({ ready: true })`. */
  onReady?: () => void
}

const stopWithinMs = 15_000
const tailLines = 40
const children = new Set<Child>()
let closing = false

/** True once everything is being stopped: the end of a child is then expected. */
export const isClosing = (): boolean => closing

// Children run in sessions of their own, so that a Ctrl-C in the terminal does not stop them in the wrong
// order. The shell between us and a child holds the other end of our pipe: when this process dies in any way,
// the pipe closes and the shell signals the child. A shell makes such children ignore SIGINT until they have
// a handler of their own, so it repeats that signal.
const leash = `exec 9<&0; "$@" 9<&- </dev/null & child=$!
{ cat <&9 >/dev/null
while kill -"$LEASH_SIGNAL" $child && [ "$LEASH_SIGNAL" = INT ]; do sleep 1; done; } >/dev/null 2>&1 & watch=$!
exec 9<&-; wait $child; code=$?; kill $watch 2>/dev/null; exit $code`

/** Starts a program that ends when we signal it, or when this process dies. */
export function spawnChild(command: readonly string[], options: Options = {}): Child {
  if (closing) throw new Error('Everything is being stopped.')
  const { stopSignal = 'TERM', user, logFile, onReady } = options
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a', 0o600)
  const lines: string[] = []
  const process = Bun.spawn(['/bin/sh', '-c', leash, 'sh', ...command], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { ...options.env, LEASH_SIGNAL: stopSignal },
    stdin: 'pipe',
    stdout: log,
    stderr: log,
    detached: true,
    ...user,
    ...(onReady && { ipc: onReady }),
  })
  if (typeof log === 'number') closeSync(log)
  const keepLine = (line: string) => {
    lines.push(line)
    if (lines.length > tailLines) lines.shift()
    options.onLine?.(line)
  }
  const read = [process.stdout, process.stderr].map((stream) => readLines(stream, keepLine))
  const exited = process.exited.then(async (code) => {
    void process.stdin.end()
    await Promise.race([Promise.all(read), Bun.sleep(200)])
    children.delete(child)
    return code
  })
  const kill = () => {
    try {
      globalThis.process.kill(-process.pid, 'SIGKILL')
    } catch {
      // it has ended already
    }
  }
  const stop = async () => {
    void process.stdin.end()
    const timer = setTimeout(kill, stopWithinMs)
    await exited
    clearTimeout(timer)
  }
  const tail = () =>
    (logFile ? readFileSync(logFile, 'utf8').trimEnd().split('\n') : lines).slice(-tailLines).join('\n')
  const child: Child = { pid: process.pid, exited, tail, stop, kill }
  children.add(child)
  return child
}

/** Starts no more children and stops the running ones, the youngest first. */
async function stopChildren(): Promise<void> {
  closing = true
  for (const child of [...children].reverse()) await child.stop()
}

function killChildren(): void {
  closing = true
  for (const child of children) child.kill()
}

async function readLines(stream: unknown, keepLine: (line: string) => void): Promise<void> {
  if (!(stream instanceof ReadableStream)) return
  for await (const line of createInterface(Readable.fromWeb(stream as never))) keepLine(line)
}

/** A problem that the user can fix: only its sentence is shown, without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}

/** A terminal and the runners above us each send the signal, so two within a second are one. */
const sameSignalMs = 1_000
const deadlineMs = 20_000

/** The first signal stops every child in order and ends with code 0; a second one after more than a second,
 * or 20 seconds, end everything at once. `atEnd` runs last in any case. */
export function stopper(atEnd: () => void) {
  let begun: { at: number; done: Promise<never> } | undefined

  const stop = (code: number): Promise<never> => {
    if (begun) return begun.done
    setTimeout(endNow, deadlineMs)
    const done = stopChildren().then((): never => {
      atEnd()
      process.exit(code)
    })
    begun = { at: Date.now(), done }
    return done
  }
  const onSignal = () => {
    if (begun && Date.now() - begun.at > sameSignalMs) return endNow()
    if (begun) return
    console.log('\nStopping …')
    void stop(0).catch(endNow)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop

  function endNow(): never {
    killChildren()
    atEnd()
    process.exit(1)
  }
}
