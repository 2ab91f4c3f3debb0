import { Database, SQLiteError } from 'bun:sqlite'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartProblem } from './child.ts'

const lookMs = 100
const lockFile = (dataDir: string) => join(dataDir, 'start.lock')

/** Prevents two starts on one data directory. Returns true when the last one did not end cleanly. */
export function lockDataDir(
  dataDir: string,
  refusal = `DATA_DIR ${dataDir} is in use by another start: stop that one first.`,
): boolean {
  const file = lockFile(dataDir)
  const isLeft = existsSync(file)
  if (!take(file)) throw new StartProblem(refusal)
  return isLeft
}

export const unlockDataDir = (dataDir: string): void => rmSync(lockFile(dataDir), { force: true })

/** Runs `act` while nobody else holds this file. */
export async function withFileLock<T>(file: string, act: () => Promise<T>): Promise<T> {
  let lock = take(file)
  for (; !lock; lock = take(file)) await Bun.sleep(lookMs)
  try {
    return await act()
  } finally {
    release(lock)
  }
}

/** A database that is forgotten is closed, and its lock with it. */
const taken = new Set<Database>()

/** Undefined while another process has it; the operating system frees it when its holder dies. */
function take(file: string): Database | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
  const database = new Database(file, { create: true })
  taken.add(database)
  try {
    database.run('begin exclusive')
    return database
  } catch (error) {
    release(database)
    if (error instanceof SQLiteError && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

function release(database: Database): void {
  taken.delete(database)
  database.close()
}
