import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Records the process group that works on a file, so that the next start can end a leftover one. */
export const noteGroup = (pidFile: string, pid: number): void => writeFileSync(pidFile, `${pid}\n`)

/**
 * After a start was killed its children end by themselves, which takes a moment: the chain writes its state.
 * One that does not (its shell was killed too) is signalled again and then killed. `mark` is a text of its
 * command line, as process ids are reused.
 */
export async function endLeftover(pidFile: string, mark: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8'))
  const plan: [NodeJS.Signals | undefined, number][] = [
    [undefined, 3_000],
    ['SIGINT', 10_000],
    ['SIGKILL', 2_000],
  ]
  for (const [signal, waitMs] of plan) {
    if (signal && isRunning(pid, mark)) process.kill(-pid, signal)
    for (const deadline = Date.now() + waitMs; isRunning(pid, mark) && Date.now() < deadline; )
      await Bun.sleep(50)
  }
  rmSync(pidFile, { force: true })
}

function isRunning(group: number, mark: string): boolean {
  const { stdout } = Bun.spawnSync(['ps', '-A', '-o', 'pgid=,args='])
  const lines = stdout.toString().split('\n')
  return lines.some((line) => Number.parseInt(line, 10) === group && line.includes(mark))
}
