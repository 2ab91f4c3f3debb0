import { readFileSync } from 'node:fs'

const taskset = Bun.which('taskset')
const cores = navigator.hardwareConcurrency

/** How processes are assigned to cores, for the head of a table. */
export const placing =
  taskset && cores > 1 ? 'server on core 0, loader on core 1' : 'not pinned (no taskset, or one core)'

/** Runs a program that prints JSON lines, on one core if the system can pin it, or on any (null). */
export function pinned(
  core: 0 | 1 | null,
  command: readonly string[],
  env: Record<string, string | undefined> = {},
) {
  const place = taskset && cores > 1 && core !== null ? [taskset, '-c', `${core}`] : []
  const child = Bun.spawn([...place, ...command], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = readLines(child.stdout)
  return {
    pid: child.pid,
    exited: child.exited,
    /** The next line of JSON. */
    async next<T>(): Promise<T> {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`${command.join(' ')} ended.`)
        if (value.startsWith('{')) return JSON.parse(value) as T
      }
    },
    /** Writes a line to its input. */
    write(line: string): void {
      child.stdin.write(`${line}\n`)
      void child.stdin.flush()
    },
    stop: async () => {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

/** Resident memory of a process in MiB, and its peak. */
export function memoryOf(pid: number): { rss: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { rss: read('VmRSS'), peak: read('VmHWM') }
}

/** Milliseconds of processor time a process has used. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    const found = (rest + text).split('\n')
    rest = found.pop() ?? ''
    yield* found
  }
  if (rest) yield rest
}
