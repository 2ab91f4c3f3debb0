import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../infra/local/postgres.ts'

/** One Postgres for the whole run, in a directory that is gone afterwards. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(roomyMemory() ?? tmpdir(), 'blockdraw-test-'))
  // mkdtemp keeps others out, and Postgres runs as another user when we are root
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  const { url, stop } = await startPostgres({ dataDir, durable: false })
  provide('postgresUrl', url)
  return async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Where files live in memory alone, if 4 GiB are free there: a database is made and dropped for each test. */
function roomyMemory(): string | undefined {
  const path = '/dev/shm'
  if (!existsSync(path)) return undefined
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= 4 * 2 ** 30 ? path : undefined
}
