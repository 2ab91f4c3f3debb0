import { Database, SQLiteError } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

const lookMs = 100

/**
 * Runs `act` while nobody else holds this file, among processes and within this one. The lock is the operating system's, which
 * frees it when its holder dies in any way. `onWait` is called once when somebody else has it.
 */
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
