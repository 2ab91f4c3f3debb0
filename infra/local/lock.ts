import { Database, SQLiteError } from 'bun:sqlite'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartProblem } from './child.ts'

const usedBy = (dataDir: string) => (pid: number) =>
  `DATA_DIR ${dataDir} is in use by another start (process ${pid}): stop that one first.`

/** Marks a folder of `bun run story`, which throws away what is in it when it begins anew. @internal */
export const storyMark = 'played-here'

/** Throws StartProblem for the folder of a story: what is sold there would be gone with the next one. */
export function expectNoStory(dataDir: string): void {
  if (existsSync(join(dataDir, storyMark)))
    throw new StartProblem(
      `DATA_DIR ${dataDir} belongs to bun run story, which empties it: name another folder in DATA_DIR.`,
    )
}

/** Prevents two starts on one data directory. Returns true when the last one did not end cleanly. */
export function lockDataDir(dataDir: string, refusal = usedBy(dataDir)): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const file = join(dataDir, 'start.pid')
  const left = existsSync(file)
  const pid = left ? Number(readFileSync(file, 'utf8')) : 0
  if (pid && pid !== process.pid && isStart(pid)) throw new StartProblem(refusal(pid))
  writeFileSync(file, `${process.pid}\n`)
  return left
}

export function unlockDataDir(dataDir: string): void {
  const file = join(dataDir, 'start.pid')
  if (existsSync(file) && Number(readFileSync(file, 'utf8')) === process.pid) rmSync(file)
}

/** Process ids are reused, so it compares the command too. */
const isStart = (pid: number): boolean =>
  /infra\/local\/start\.ts|e2e\/long\/story\/main\.ts/.test(
    Bun.spawnSync(['ps', '-p', `${pid}`, '-o', 'args=']).stdout.toString(),
  )

const lookMs = 100

/** Runs `act` while nobody else holds this file: the operating system frees the lock when its holder dies.
 * `onWait` is called once when somebody else has it. */
export async function withFileLock<T>(
  file: string,
  act: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true })
  const database = new Database(file, { create: true })
  try {
    for (let waits = 0; !take(database); waits++) {
      if (waits === 0) onWait()
      await Bun.sleep(lookMs)
    }
    return await act()
  } finally {
    database.close()
  }
}

function take(database: Database): boolean {
  try {
    database.run('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') return false
    throw error
  }
}
