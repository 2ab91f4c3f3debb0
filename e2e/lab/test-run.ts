import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../infra/local/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of all that is left to chance in this run: `SEED` is a number, or `random`. */
    seed: number
  }
}

/** One Postgres for the whole run, in a directory that is gone afterwards, and one seed. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { SEED = '1' } = process.env
  const seed = SEED === 'random' ? randomInt(2 ** 31) : Number(SEED)
  if (!Number.isInteger(seed)) throw new Error(`SEED is a whole number or "random", not ${SEED}.`)
  console.log(`SEED=${seed}`)
  provide('seed', seed)
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
