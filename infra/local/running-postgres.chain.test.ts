import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localDatabaseUrl, startPostgres } from './postgres.ts'

test('finds the database of a running start by its data directory, and none after it has stopped', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'blockdraw-running-'))
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o755)
  try {
    expect(() => localDatabaseUrl(dataDir)).toThrow('No database is running here')
    const { url, stop } = await startPostgres({ dataDir, durable: false })
    try {
      expect(localDatabaseUrl(dataDir)).toBe(url)
    } finally {
      await stop()
    }
    expect(() => localDatabaseUrl(dataDir)).toThrow('No database is running here')
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
