import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clusterDir, postgresUser } from './postgres.ts'

// Who is not root has the cluster in the data directory itself.
test.runIf(process.getuid?.() === 0)(
  'a data directory that the system user cannot reach links to its cluster; a new one has another',
  () => {
    const clusters = ['one', 'other'].map((name) => {
      const dataDir = mkdtempSync(join(tmpdir(), `blockdraw-${name}-`))
      chmodSync(dataDir, 0o700)
      const made = clusterDir(dataDir, postgresUser(dataDir))
      onTestFinished(() => {
        for (const dir of [dataDir, made]) rmSync(dir, { recursive: true })
      })
      expect(clusterDir(dataDir, postgresUser(dataDir))).toBe(made)
      expect(existsSync(join(dataDir, 'postgres'))).toBe(true)
      expect(made.startsWith(dataDir)).toBe(false)
      return made
    })
    expect(new Set(clusters).size).toBe(2)
  },
)
