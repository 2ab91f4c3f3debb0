import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { listenTo } from './process.ts'
import { until } from './until.ts'

export type Trial = ReturnType<typeof tryStart>

const checkout = resolve(import.meta.dirname, '../..')
const sources = ['core', 'db', 'api', 'worker', 'site', 'infra', 'e2e/lab', 'e2e/long/story']
const settings = ['package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', '.env.example']
const made = ['node_modules', 'dist', '.astro']

/** A checkout elsewhere, with the packages of this one and nothing else that a build or a start has left. */
export function copyCheckout(to: string): string {
  for (const name of [...sources, ...settings])
    cpSync(join(checkout, name), join(to, name), {
      recursive: true,
      filter: (path) => !made.includes(basename(path)),
    })
  symlinkSync(join(checkout, 'node_modules'), join(to, 'node_modules'))
  return to
}

/** `start` as a person would run it, but for the install; in a process group of its own. */
export const tryStart = (root: string, env: Record<string, string>) =>
  tryCommand(root, ['infra/local/start.ts'], env)

/** `story` with these options, in the same way. */
export const tryStory = (root: string, options: readonly string[]) =>
  tryCommand(root, ['e2e/long/story/main.ts', ...options], {})

function tryCommand(root: string, command: readonly string[], env: Record<string, string>) {
  const { DATABASE_URL, RPC_URLS, REDIS_URL, OPERATOR_WALLET, ...rest } = process.env
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: root,
    env: { ...rest, NO_COLOR: '1', LOG_LEVEL: 'info', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  const { says, ended } = listenTo(child)
  return {
    pid: child.pid,
    /** Resolves with the output so far when it contains the text; rejects if it ends before. */
    until: (text: string) => says(text),
    /** Code and whole output. */
    end: ended.then(({ code, text }) => ({ code, output: text })),
    /** To the whole group, as a terminal's Ctrl-C goes. */
    signalGroup: (signal: NodeJS.Signals) => process.kill(-child.pid, signal),
  }
}

/** Command lines of running programs that contain the text. */
export const running = (text: string): string[] =>
  Bun.spawnSync(['ps', '-A', '-o', 'pid=,args='])
    .stdout.toString()
    .split('\n')
    .filter((line) => line.includes(text) && !line.includes('ps -A'))

/** Kills what trials that run in `place` left running, waits until all of it has ended, and removes the folder. */
export async function endTrials(trials: readonly Trial[], place: string): Promise<void> {
  for (const { signalGroup } of trials)
    try {
      signalGroup('SIGKILL')
    } catch {
      // has ended already, as expected
    }
  await until(() => running(place).length === 0, 'the end of all children')
  rmSync(place, { recursive: true, force: true })
}

/** Kills the child of a trial whose command matches, as the system would when memory runs out. */
export function killChild(trial: Trial, command: RegExp): void {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,args='])
  const all = stdout
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, ...args]) => ({ pid: Number(pid), parent: Number(parent), args: args.join(' ') }))
  const leashes = new Set(all.filter(({ parent }) => parent === trial.pid).map(({ pid }) => pid))
  const found = all.filter(
    ({ parent, args }) => leashes.has(parent) && command.test(args) && !args.startsWith('/bin/sh'),
  )
  if (found.length !== 1) throw new Error(`${found.length} children run ${command}`)
  for (const { pid } of found) process.kill(pid, 'SIGKILL')
}
