import { closeSync, openSync } from 'node:fs'

export type Child = {
  pid: number
  exited: Promise<number>
  /** The last lines it wrote, where its output is not a log file. */
  tail: () => string
  /** Asks it to end and waits; after 15 s it is killed. Safe to call twice. */
  stop: () => Promise<void>
  kill: () => void
}

type Options = {
  env?: Record<string, string | undefined>
  cwd?: string
  /** Sent when it is to end. */
  stopSignal?: 'INT' | 'TERM'
  user?: { uid: number; gid: number } | undefined
  /** Where its output goes; else it is read line by line. */
  logFile?: string | undefined
  onLine?: (line: string) => void
  onMessage?: (message: unknown) => void
}

const stopWithinMs = 15_000
const children = new Set<Child>()
let closing = false

/** True from the moment everything is asked to end: a child that ends now is no news. */
export const isClosing = (): boolean => closing

// Children live in sessions of their own, so that a Ctrl-C in the terminal does not stop them in the wrong
// order. The shell between us and a child holds its other end of our pipe: when this process dies, however
// it dies, the pipe closes and the child is asked to end. A shell lets such children ignore SIGINT until they
// have a handler of their own, so that signal is repeated.
const leash = `exec 9<&0; "$@" 9<&- </dev/null & child=$!
{ cat <&9 >/dev/null
while kill -"$LEASH_SIGNAL" $child && [ "$LEASH_SIGNAL" = INT ]; do sleep 1; done; } 2>/dev/null & watch=$!
exec 9<&-; wait $child; code=$?; kill $watch 2>/dev/null; exit $code`

/** Starts a program that ends when we ask it, or when this process is gone. */
export function spawnChild(command: readonly string[], options: Options = {}): Child {
  if (closing) throw new Error('Everything is being stopped.')
  const { stopSignal = 'TERM', user, logFile, onMessage } = options
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
    ...(onMessage && { ipc: (message: unknown) => onMessage(message) }),
  })
  if (typeof log === 'number') closeSync(log)
  const heard = (line: string) => {
    lines.push(line)
    if (lines.length > 40) lines.shift()
    options.onLine?.(line)
  }
  const read = [process.stdout, process.stderr].map((stream) => readLines(stream, heard))
  const exited = process.exited.then(async (code) => {
    void process.stdin.end()
    await Promise.race([Promise.all(read), Bun.sleep(200)])
    children.delete(child)
    return code
  })
  const kill = () => signalGroup(process.pid, 'SIGKILL')
  const stop = async () => {
    void process.stdin.end()
    const timer = setTimeout(kill, stopWithinMs)
    await exited
    clearTimeout(timer)
  }
  const child: Child = { pid: process.pid, exited, tail: () => lines.join('\n'), stop, kill }
  children.add(child)
  return child
}

/** From now on nothing new starts; what runs is stopped, the youngest first. */
export async function stopChildren(): Promise<void> {
  closing = true
  for (const child of [...children].reverse()) await child.stop()
}

export function killChildren(): void {
  closing = true
  for (const child of children) child.kill()
}

async function readLines(stream: unknown, heard: (line: string) => void): Promise<void> {
  if (!(stream instanceof ReadableStream)) return
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) heard(line)
  }
  if (rest) heard(rest)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // it is gone already
  }
}
