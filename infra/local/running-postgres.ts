import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusterDir, localUrl, postgresUser } from './postgres-place.ts'
import { StartProblem } from './problem.ts'

/** The database of a start that is running on this data directory, as its owner; throws StartProblem when none is. */
export function localDatabaseUrl(dataDir: string): string {
  const passwordFile = join(dataDir, 'postgres-password')
  const notRunning = new StartProblem(
    'No database is running here: set DATABASE_URL, or run `bun run start` in another terminal first.',
  )
  if (!existsSync(passwordFile)) throw notRunning
  const pidFile = join(clusterDir(dataDir, postgresUser()), 'postmaster.pid')
  if (!existsSync(pidFile)) throw notRunning
  // Line 4 of postmaster.pid is the port.
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]?.trim()
  const password = readFileSync(passwordFile, 'utf8').trim()
  return localUrl(port ?? '', password)
}
