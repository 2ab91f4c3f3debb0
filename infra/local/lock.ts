import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartProblem } from './problem.ts'

/** Prevents two starts on one data directory. Returns true when the last one did not end cleanly. */
export function lockDataDir(dataDir: string): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const file = join(dataDir, 'start.pid')
  const left = existsSync(file)
  const pid = left ? Number(readFileSync(file, 'utf8')) : 0
  if (pid && pid !== process.pid && isStart(pid))
    throw new StartProblem(
      `DATA_DIR ${dataDir} is in use by another start (process ${pid}): stop that one first.`,
    )
  writeFileSync(file, `${process.pid}\n`)
  return left
}

export function unlockDataDir(dataDir: string): void {
  const file = join(dataDir, 'start.pid')
  if (existsSync(file) && Number(readFileSync(file, 'utf8')) === process.pid) rmSync(file)
}

/** Process ids are reused, so it compares the command too. */
const isStart = (pid: number): boolean =>
  Bun.spawnSync(['ps', '-p', `${pid}`, '-o', 'args='])
    .stdout.toString()
    .includes('infra/local/start.ts')
